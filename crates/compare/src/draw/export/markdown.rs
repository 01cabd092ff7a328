//! Markdown export: the table of contenders, for example for a README.

use super::super::{show, table};

use crate::Comparison;

/// Returns the verdict, the table of contenders, and the conditions of the measurement as Markdown.
///
/// ```
/// use compare::{Comparison, export};
///
/// let text = export::markdown(&Comparison::default());
/// assert!(text.starts_with("No verdict"));
/// ```
#[must_use]
pub fn markdown(comparison: &Comparison) -> String {
    let mut out = String::new();
    pushln!(out, "{}\n", escape(&comparison.verdict().to_string()));
    let columns = table::columns(comparison);
    if !columns.is_empty() {
        let line = |cells: &mut dyn Iterator<Item = String>| {
            format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
        };
        pushln!(out, "{}", line(&mut columns.iter().map(|column| column.head.to_owned())));
        let rule = |is_number: bool| if is_number { "---:" } else { "---" }.to_owned();
        pushln!(out, "{}", line(&mut columns.iter().map(|column| rule(column.is_number))));
    }
    for row in 0..table::rows(comparison).len() {
        let cells = columns.iter().map(|column| {
            let cell = &column.cells[row];
            let text = escape(&cell.text);
            if column.is_number && !cell.detail.is_empty() {
                format!("{text} ({})", cell.detail)
            } else {
                text
            }
        });
        pushln!(out, "| {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    if !columns.is_empty() {
        out.push('\n');
    }
    let refusals = comparison.refusals();
    for (reason, names) in &refusals {
        pushln!(out, "- {} did not take part: {}", escape(&names.join(", ")), escape(reason));
    }
    for remark in &comparison.remarks {
        pushln!(out, "- {}", escape(remark));
    }
    if !refusals.is_empty() || !comparison.remarks.is_empty() {
        out.push('\n');
    }
    let mut facts = vec![show::count(comparison.puzzles.len(), "puzzle")];
    let machine = [&comparison.machine.processor, &comparison.machine.system, &comparison.date];
    facts.extend(machine.into_iter().filter(|fact| !fact.is_empty()).map(|fact| escape(fact)));
    pushln!(out, "{}; farandole {}.", facts.join("; "), escape(&comparison.version));
    out
}

/// Escapes Markdown markup in a text, and joins its lines into one.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for char in text.chars() {
        match char {
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' => escaped.extend(['\\', char]),
            _ if char.is_control() => escaped.push(' '),
            _ => escaped.push(char),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn markdown_tables_match_the_recorded_tables() {
        let texts = samples::all().into_iter().filter(|(name, _)| *name != "many puzzles");
        let texts: Vec<String> =
            texts.map(|(name, sample)| format!("# {name}\n\n{}", markdown(&sample))).collect();
        insta::assert_snapshot!(texts.join("\n"));
    }

    #[test]
    fn every_row_of_a_markdown_table_has_all_cells() {
        for (name, comparison) in samples::all() {
            let text = markdown(&comparison).replace("\\|", "");
            let bars: Vec<usize> = text
                .lines()
                .filter(|line| line.starts_with('|'))
                .map(|line| line.matches('|').count())
                .collect();
            assert!(bars.windows(2).all(|pair| pair[0] == pair[1]), "{name}: {text}");
        }
    }
}
