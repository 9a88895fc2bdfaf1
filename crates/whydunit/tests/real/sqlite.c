// A database in memory.
#include <stdio.h>

#include "sqlite3.h"

static int row(void *context, int count, char **values, char **names) {
    (void)context;
    for (int i = 0; i < count; i++) printf("%s%s=%s", i ? ", " : "", names[i], values[i] ? values[i] : "NULL");
    printf("\n");
    return 0;
}

static const char *const statements[] = {
    "CREATE TABLE town(id INTEGER PRIMARY KEY, name TEXT NOT NULL, people INT, area REAL)",
    "INSERT INTO town(name, people, area) VALUES('Alta', 1200, 10.5), ('Bera', 560, 3.25), ('Cima', 98000, 120.0)",
    "INSERT INTO town(name) VALUES('Dorf')",
    "SELECT * FROM town ORDER BY name DESC",
    "CREATE INDEX by_people ON town(people)",
    "SELECT name, people / area AS density FROM town WHERE people > 600 ORDER BY density",
    "UPDATE town SET people = people + 1 WHERE name LIKE '%a%'",
    "SELECT count(*), sum(people), avg(area), max(name), group_concat(name, '+') FROM town",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT sum(i * i) FROM n",
    "SELECT a.name, b.name FROM town a JOIN town b ON a.id < b.id WHERE a.people IS NOT NULL",
    "BEGIN; DELETE FROM town; ROLLBACK; SELECT count(*) FROM town",
    "SELECT upper(name), substr(name, 2, 2), printf('%05d', people), hex(name) FROM town WHERE id = 1",
    "SELECT nothing FROM nowhere",
};

int main(void) {
    sqlite3 *db;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK) return 1;
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        char *message = NULL;
        printf("> %s\n", statements[i]);
        if (sqlite3_exec(db, statements[i], row, NULL, &message) != SQLITE_OK) printf("error: %s\n", message);
        sqlite3_free(message);
    }
    return sqlite3_close(db);
}
