//! `eval/eval.csv`: a row for each program and list of suspects.

use std::fmt::Write;

const HEAD: &str = "program,family,fault_kind,technique,state,faults,rank,rank_of_last,suspects,top1,top3,top5,exam,steps,queries";

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    pub program: String,
    pub family: String,
    pub kind: String,
    pub technique: String,
    pub state: State,
    /// How many lines are to be corrected.
    pub faults: usize,
    /// The rank of the first fault that the list names.
    pub first: Option<usize>,
    /// The rank at which all faults have been named.
    pub all: Option<usize>,
    pub suspects: Option<usize>,
    /// Which part of the executable lines is looked at until the first fault is found.
    pub exam: Option<f64>,
    pub steps: Option<usize>,
    pub queries: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    Found,
    #[default]
    NotFound,
    /// The technique does not know.
    NoAnswer,
    /// It was not found how the program fails.
    NoFailure,
    /// There was no time. Nothing else is said then, because it would depend on the machine.
    Limit,
}

impl State {
    const ALL: [State; 5] =
        [State::Found, State::NotFound, State::NoAnswer, State::NoFailure, State::Limit];

    fn name(self) -> &'static str {
        match self {
            State::Found => "found",
            State::NotFound => "not-found",
            State::NoAnswer => "no-answer",
            State::NoFailure => "no-failure",
            State::Limit => "limit",
        }
    }
}

pub fn write(rows: &[Row]) -> String {
    let mut out = format!("{HEAD}\n");
    for row in rows {
        let number = |number: Option<usize>| number.map_or(String::new(), |it| it.to_string());
        let top = |most: usize| match row.state {
            State::Found | State::NotFound => {
                u8::from(row.first.is_some_and(|rank| rank <= most)).to_string()
            }
            _ => String::new(),
        };
        let fields = [
            row.program.clone(),
            row.family.clone(),
            row.kind.clone(),
            row.technique.clone(),
            row.state.name().to_owned(),
            row.faults.to_string(),
            number(row.first),
            number(row.all),
            number(row.suspects),
            top(1),
            top(3),
            top(5),
            row.exam.map_or(String::new(), |exam| format!("{exam:.3}")),
            number(row.steps),
            number(row.queries),
        ];
        let _ = writeln!(out, "{}", fields.join(","));
    }
    out
}

pub fn read(text: &str) -> Result<Vec<Row>, String> {
    let mut lines = text.lines();
    if lines.next() != Some(HEAD) {
        return Err("eval.csv has other columns".to_owned());
    }
    lines.map(|line| read_row(line).ok_or_else(|| format!("eval.csv: `{line}`"))).collect()
}

fn read_row(line: &str) -> Option<Row> {
    let fields: Vec<&str> = line.split(',').collect();
    let [
        program,
        family,
        kind,
        technique,
        state,
        faults,
        first,
        all,
        suspects,
        _,
        _,
        _,
        exam,
        steps,
        queries,
    ] = fields.try_into().ok()?;
    let number = |text: &str| match text {
        "" => Some(None),
        text => text.parse().ok().map(Some),
    };
    Some(Row {
        program: program.to_owned(),
        family: family.to_owned(),
        kind: kind.to_owned(),
        technique: technique.to_owned(),
        state: State::ALL.into_iter().find(|it| it.name() == state)?,
        faults: faults.parse().ok()?,
        first: number(first)?,
        all: number(all)?,
        suspects: number(suspects)?,
        exam: if exam.is_empty() { None } else { Some(exam.parse().ok()?) },
        steps: number(steps)?,
        queries: number(queries)?,
    })
}

/// Checks that what is written can be read.
pub fn self_test() {
    let row = Row {
        program: "c/a.c".to_owned(),
        family: "c".to_owned(),
        kind: "loop".to_owned(),
        technique: "cascade".to_owned(),
        state: State::Found,
        faults: 2,
        first: Some(2),
        all: None,
        suspects: Some(4),
        exam: Some(0.125),
        steps: Some(80),
        queries: Some(0),
    };
    let limit = Row { state: State::Limit, faults: 1, ..Row::default() };
    let text = write(&[row.clone(), limit.clone()]);
    let rows = "c/a.c,c,loop,cascade,found,2,2,,4,0,1,1,0.125,80,0\n,,,,limit,1,,,,,,,,,\n";
    assert_eq!(text, format!("{HEAD}\n{rows}"));
    assert_eq!(read(&text), Ok(vec![row, limit]));
    assert!(read("program\n").is_err());
    assert!(read(&format!("{HEAD}\na,b\n")).is_err());
}
