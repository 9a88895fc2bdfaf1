// As reference.c, but cars are counted instead of their weight.
#include <stdio.h>
#include <stdlib.h>

enum { NORTH, EAST, WALK, RED };
enum { NIGHT, DAY, RUSH };

// By phase: how long it lasts at least, and at most.
static int shortest[4] = { 12, 10, 8, 3 };
static int longest[4] = { 60, 44, 20, 6 };
// By weather: dry, rain, ice.
static int clearance[3] = { 3, 4, 6 };
static int speed[3] = { 12, 10, 6 };
// By period.
static int patience[3] = { 15, 45, 70 };
static int usual[2][3] = { { 1, 6, 14 }, { 0, 4, 9 } };
// By road.
static int weight[2] = { 3, 2 };

static int phase, elapsed;  // what the lights show, since how many seconds
static int queue[2];        // how many cars wait on each road
static int walkers, waited; // how many people wait, since when
static int hour, weather;
static int tram, rails; // how far away the tram is, or -1; on which road
static int siren;       // 0, or 1 and the road of an emergency vehicle
static int broken;      // one bit for each road whose detector is broken

static int period(void)
{
    if (hour < 6 || hour >= 22)
        return NIGHT;
    if ((hour >= 7 && hour < 10) || (hour >= 16 && hour < 19))
        return RUSH;
    return DAY;
}

static int is_road(int which)
{
    return which == NORTH || which == EAST;
}

static int tram_soon(int road)
{
    if (tram < 0 || road != rails)
        return 0;
    return tram / speed[weather] <= shortest[road] + clearance[weather];
}

static int cars(int road)
{
    if (broken & (1 << road))
        return usual[road][period()];
    return queue[road];
}

static int demand(int road)
{
    int result = cars(road) * weight[road];

    if (tram_soon(road))
        result = result + 25;
    if (road == phase && elapsed > longest[road] / 2)
        result = result / 2;
    return result;
}

static int walkers_due(void)
{
    int limit = patience[period()];

    if (walkers == 0)
        return 0;
    if (weather > 0)
        limit = limit - 10;
    if (walkers >= 8)
        limit = limit / 2;
    return waited >= limit;
}

static int at_least(void)
{
    int seconds = shortest[phase];

    if (phase == WALK && walkers > 5)
        seconds = seconds + walkers / 2;
    if (weather == 2)
        seconds = seconds + 4;
    return seconds;
}

static int at_most(void)
{
    int seconds = longest[phase];

    if (is_road(phase)) {
        if (period() == RUSH)
            seconds = seconds + 15;
        else if (period() == NIGHT)
            seconds = seconds - 20;
    }
    return seconds;
}

static int busier_road(int north, int east)
{
    if (north == east)
        return rails;
    return north > east ? NORTH : EAST;
}

static int next_phase(void)
{
    if (siren > 0) {
        if (phase == siren - 1 || phase == RED)
            return siren - 1;
        return RED;
    }
    if (elapsed < at_least())
        return phase;
    if (is_road(phase)) {
        int other = 1 - phase;

        if (tram_soon(phase) && elapsed < at_most())
            return phase;
        if (walkers_due())
            return WALK;
        if (elapsed >= at_most() && demand(other) > 0)
            return other;
        if (cars(other) > cars(phase) + 4) //~ fault
            return other;
        return phase;
    }
    if (phase == RED && walkers_due())
        return WALK;
    return busier_road(demand(NORTH), demand(EAST));
}

static int seconds(int next)
{
    int result = shortest[next];

    if (next == phase) {
        result = at_least() - elapsed;
        if (result < 5)
            result = 5;
        return result;
    }
    if (is_road(next)) {
        result = result + 2 * cars(next);
        if (result > longest[next])
            result = longest[next];
    } else if (next == WALK && walkers > 10) {
        result = longest[next];
    }
    return result + clearance[weather];
}

int main(int argc, char **argv)
{
    if (argc != 13) {
        printf("-1\n");
        return 1;
    }
    phase = atoi(argv[1]);
    elapsed = atoi(argv[2]);
    queue[NORTH] = atoi(argv[3]);
    queue[EAST] = atoi(argv[4]);
    walkers = atoi(argv[5]);
    waited = atoi(argv[6]);
    hour = atoi(argv[7]);
    weather = atoi(argv[8]);
    tram = atoi(argv[9]);
    rails = atoi(argv[10]);
    siren = atoi(argv[11]);
    broken = atoi(argv[12]);
    if (phase < NORTH || phase > RED || weather < 0 || weather > 2 || rails < 0 || rails > 1 || siren < 0 || siren > 2) {
        printf("-1\n");
        return 1;
    }

    int next = next_phase();

    printf("%d\n", 1000 * next + seconds(next));
    return 0;
}
