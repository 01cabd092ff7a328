//! The constraints of an exact cover on 0/1 variables, for the forms that write formulas. The
//! library describes and collects them ([`dlx::trust::formula`]).

use dlx::limits::Pace;
use dlx::trust::formula::{self, FormulaFault, LinearRule};
use dlx::{Limits, OptionId, Problem};

use super::{Unwritten, WritePace};

/// Collects the constraints of all items in order, then a constraint for the options that are never
/// chosen.
pub(super) fn rules(problem: &Problem, limits: &Limits) -> Result<Vec<LinearRule>, Unwritten> {
    formula::rules(problem, &mut Pace::new(limits)).map_err(|fault| unwritten(&fault))
}

pub(super) fn unwritten(fault: &FormulaFault) -> Unwritten {
    match fault {
        FormulaFault::Limit(limit) => Unwritten::limited(*limit),
        _ => fault.to_string().into(),
    }
}

pub(super) fn variable(option: OptionId) -> usize {
    option.index() + 1
}

pub(super) fn write_options(
    problem: &Problem,
    comment: &str,
    pen: &mut WritePace<'_>,
    out: &mut String,
) -> Result<(), Unwritten> {
    for option in problem.options() {
        let shown = problem.show(option);
        pen.spend(problem.option(option).len())?;
        pushln!(out, "{comment} x{} = {shown}", variable(option));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use dlx::{Limits, Problem};

    use super::super::FORMS;

    /// A constraint in a test: factors with variables, the relation, and the bound.
    type Constraint<'t> = (Vec<(i64, usize)>, &'t str, i64);

    /// Counts the solutions of a formula by trying all values of its variables.
    fn count(name: &str, text: &str) -> u64 {
        let lines = text.lines();
        let number = |word: &str| word.parse::<i64>().unwrap_or_else(|_| panic!("{word} in\n{text}"));
        let mut constraints: Vec<Constraint<'_>> = Vec::new();
        let mut variable_count = 0;
        for line in lines {
            let words: Vec<&str> = line.split_whitespace().collect();
            let terms = |words: &[&str]| -> Vec<(i64, usize)> {
                let variable = |word: &str| word.trim_start_matches('x').parse().unwrap();
                words.chunks(2).map(|term| (number(term[0]), variable(term[1]))).collect()
            };
            match (name, &words[..]) {
                ("cnf", ["p", "cnf", count, _]) | ("opb", ["*", "#variable=", count, ..]) => {
                    variable_count = count.parse().unwrap();
                }
                ("cnf", ["c", ..]) | ("opb", ["*" | "min:", ..]) => {}
                ("cnf", [literals @ .., "0"]) => {
                    let literal =
                        |word: &&str| (number(word).signum(), number(word).unsigned_abs() as usize);
                    let literals: Vec<_> = literals.iter().map(literal).collect();
                    let negative = literals.iter().filter(|(sign, _)| *sign < 0).count() as i64;
                    constraints.push((literals, ">=", 1 - negative));
                }
                ("opb", [sum @ .., relation, bound, ";"]) => {
                    constraints.push((terms(sum), relation, number(bound)));
                }
                _ => panic!("{line}"),
            }
        }
        let holds = |values: &u64| {
            constraints.iter().all(|(terms, relation, bound)| {
                let value = |variable: usize| (values >> (variable - 1) & 1) as i64;
                let sum: i64 = terms.iter().map(|&(factor, variable)| factor * value(variable)).sum();
                if *relation == "=" { sum == *bound } else { sum >= *bound }
            })
        };
        (0..1_u64 << variable_count).filter(holds).count() as u64
    }

    fn check(text: &str, names: &[&str]) {
        let problem: Problem = text.parse().unwrap();
        for form in FORMS.iter().filter(|form| names.contains(&form.name)) {
            let written = (form.write)(&problem, &Limits::default()).unwrap();
            assert_eq!(dlx::count(&problem), count(form.name, &written).into(), "{written}");
        }
    }

    #[test]
    fn the_solutions_of_a_formula_correspond_to_the_covers() {
        let both = ["cnf", "opb"];
        check("a b c d e f g\nc e f\na d g\nb c f\na d\nb g\nd e g\n", &both);
        check("A B C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nX:0 Y:1\nB X:1\nC Y:1\n", &both);
        check("a b | x y\na x\na x:1\nb x:1 y\nb y\nb x:2\nx y\n", &both);
        check("0:1|a b\na\na\nb\na b\n", &both);
        check("a b\na\n", &both);
        check("a\n", &both);
        check("1:2|a 0:3|b 0|c\na\na b\nb\nb\na b\nb c\n", &["opb"]);
        check("2|a b\na\na\na b\nb |3\nb |4\n", &["opb"]);
    }
}
