//! A comparison as a self-contained HTML page.
//!
//! The template `report.html` has the style and a short script that sorts tables; the page is also
//! complete without the script. Text from users is written through [`Escaped`]. The page contains
//! the style of the plots once, instead of once per plot.

use super::plot::svg::{STYLE, class};
use super::plot::{PLOTS, Plot};
use super::table::{Column, NOTE};
use super::{show, table};
use crate::{Comparison, Contender, PuzzleInfo, PuzzleOutcome, PuzzleRun};
use text::escape::Escaped;

const ROW_COUNT_MAX: usize = 1000;

/// Returns the HTML page of a comparison.
///
/// ```
/// use compare::{Comparison, html};
///
/// let page = html(&Comparison::default());
/// assert!(page.starts_with("<!DOCTYPE html>"));
/// assert!(page.contains("No verdict"));
/// ```
#[must_use]
pub fn html(comparison: &Comparison) -> String {
    let mut page = String::new();
    let mut rest = include_str!("report.html");
    // One pass substitutes all placeholders, so inserted text is never read as a placeholder.
    while let Some((text, behind)) = rest.split_once("{{") {
        let (name, behind) = behind.split_once("}}").expect("the template closes what it opens");
        page.push_str(text);
        page.push_str(&fill(name, comparison));
        rest = behind;
    }
    page + rest
}

fn fill(name: &str, comparison: &Comparison) -> String {
    match name {
        "title" => title(comparison),
        "kicker" => format!("farandole compare · {}", Escaped(&date(&comparison.date))),
        "verdict" => Escaped(&comparison.verdict().to_string()).to_string(),
        "warnings" => warnings(comparison),
        "contenders" => contenders(comparison),
        "plot_style" => STYLE.to_owned(),
        "plots" => plots(comparison),
        "puzzles" => puzzles(comparison),
        "method" => method(comparison),
        "footer" => format!(
            "Made by farandole {}. Everything on this page is in the page: it can be sent, kept and \
             printed as one file.",
            Escaped(&comparison.version)
        ),
        _ => unreachable!("the template has no other places"),
    }
}

fn title(comparison: &Comparison) -> String {
    let contenders = show::count(table::rows(comparison).len(), "contender");
    format!("{contenders} on {}", show::count(comparison.puzzles.len(), "puzzle"))
}

/// Turns `2026-11-21T19:30:00Z` into `2026-11-21 19:30 UTC`; returns any other text unchanged.
fn date(date: &str) -> String {
    match (date.split_once('T'), date.ends_with('Z')) {
        (Some((day, time)), true) if time.is_ascii() && time.len() > 5 => {
            format!("{day} {} UTC", &time[..5])
        }
        _ => date.to_owned(),
    }
}

fn warnings(comparison: &Comparison) -> String {
    let mut out = String::new();
    if let Some(mismatch) = &comparison.mismatch {
        out.push_str(
            "<div class=\"box alert\"><p>At least one of the two is wrong, so the times say \
                      nothing.</p>\n",
        );
        if let Some(smallest) = &mismatch.smallest {
            out.push_str("<p>The smallest puzzle found on which they disagree:</p>\n");
            pushln!(out, "<pre>{}</pre>", Escaped(smallest));
        }
        out.push_str("</div>\n");
    }
    if !comparison.remarks.is_empty() {
        out.push_str("<div class=\"box\"><p><b>To be kept in mind</b></p><ul>\n");
        for remark in &comparison.remarks {
            pushln!(out, "<li>{}</li>", Escaped(remark));
        }
        out.push_str("</ul></div>\n");
    }
    out
}

fn contenders(comparison: &Comparison) -> String {
    let rows = table::rows(comparison);
    if rows.is_empty() {
        return "<p>None took the puzzles.</p>\n".to_owned() + &refusals(comparison);
    }
    let columns = table::columns(comparison);
    let mut out = String::from(
        "<p class=\"soft\">Best first. Below a median its interval: in 95 of 100 cases it holds the \
         true median; of less \
         than six rounds it is the least and the greatest.</p>\n<div \
         class=\"sheet\"><table>\n<thead><tr>",
    );
    let (notes, columns): (Vec<_>, Vec<_>) = columns.iter().partition(|column| column.head == NOTE);
    for Column { head, meaning, is_number, .. } in &columns {
        let class = if *is_number { " class=\"n\"" } else { "" };
        push!(out, "<th scope=\"col\"{class} title=\"{}\">{head}</th>", Escaped(meaning));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (row, index) in rows.into_iter().enumerate() {
        out.push_str("<tr>");
        for Column { is_number, cells, .. } in &columns {
            let cell = &cells[row];
            let text = Escaped(&cell.text);
            if *is_number {
                let value = cell.value.map_or(String::new(), |value| format!(" data-v=\"{value}\""));
                push!(out, "<td class=\"n\"{value}>{text}{}</td>", detail("detail", &cell.detail));
                continue;
            }
            push!(out, "<th scope=\"row\"><span class=\"swatch {}\"></span>{text}", class(index));
            out.push_str(&detail("detail", &cell.detail));
            for note in &notes {
                out.push_str(&detail("detail note", &note.cells[row].text));
            }
            out.push_str("</th>");
        }
        out.push_str("</tr>\n");
    }
    out + "</tbody>\n</table></div>\n" + &refusals(comparison)
}

fn refusals(comparison: &Comparison) -> String {
    let mut out = String::new();
    for (reason, names) in comparison.refusals() {
        let names = names.join(", ");
        pushln!(out, "<li><b>{}</b> did not take part: {}</li>", Escaped(&names), Escaped(reason));
    }
    if out.is_empty() { out } else { format!("<ul class=\"refusals\">\n{out}</ul>\n") }
}

fn detail(class: &str, text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!("<span class=\"{class}\">{}</span>", Escaped(text))
    }
}

fn plots(comparison: &Comparison) -> String {
    let mut out = String::new();
    for Plot { name, reading, draw, .. } in PLOTS {
        let Some(svg) = draw(comparison) else { continue };
        let svg = svg.replacen(STYLE, "", 1);
        pushln!(
            out,
            "<figure id=\"{name}\">\n{svg}<figcaption>{}</figcaption>\n</figure>",
            Escaped(reading)
        );
    }
    if out.is_empty() {
        return out;
    }
    format!("<section>\n<h2>Plots</h2>\n<div class=\"plots\">\n{out}</div>\n</section>\n")
}

/// Returns the HTML table of puzzles; if there are too many, of the slowest ones.
fn puzzles(comparison: &Comparison) -> String {
    let Comparison { puzzles, contenders, .. } = comparison;
    if puzzles.is_empty() {
        return String::new();
    }
    let shown = slowest(comparison);
    let mut out = String::from("<section>\n<h2>Puzzle by puzzle</h2>\n<p class=\"soft\">");
    if shown.len() < puzzles.len() {
        push!(
            out,
            "Of {} only the {} that took any contender longest; the others are in the JSON and the \
             CSV. ",
            show::count(puzzles.len(), "puzzle"),
            show::group(&shown.len().to_string())
        );
    }
    out.push_str(
        "The median time of each puzzle alone, the best in bold; with &gt; it was not finished until \
         then, and where \
         nothing stands it was not tried.</p>\n\
         <div class=\"sheet tall\"><table>\n<thead><tr><th scope=\"col\">puzzle</th>",
    );
    let has_sizes = puzzles.iter().any(|puzzle| puzzle.size.is_some());
    let mut head = |name: &str| push!(out, "<th scope=\"col\" class=\"n\">{name}</th>");
    if has_sizes {
        head("size");
    }
    let taken: Vec<(usize, &Contender)> =
        contenders.iter().enumerate().filter(|(_, contender)| contender.refusal.is_none()).collect();
    for (index, contender) in &taken {
        let name = show::shorten(&contender.name, 20);
        head(&format!("<span class=\"swatch {}\"></span>{}", class(*index), Escaped(&name)));
    }
    ["solutions", "items", "options"].into_iter().for_each(&mut head);
    out.push_str("</tr></thead>\n<tbody>\n");
    for puzzle in shown {
        let runs: Vec<Option<&PuzzleRun>> =
            taken.iter().map(|(_, contender)| contender.runs.get(puzzle)).collect();
        puzzle_row(&mut out, &puzzles[puzzle], has_sizes, &runs);
    }
    out + "</tbody>\n</table></div>\n</section>\n"
}

fn slowest(comparison: &Comparison) -> Vec<usize> {
    let count = comparison.puzzles.len();
    let mut shown: Vec<usize> = (0..count).collect();
    if count > ROW_COUNT_MAX {
        let mut longest = vec![0.0_f64; count];
        for contender in &comparison.contenders {
            for (longest, run) in longest.iter_mut().zip(&contender.runs) {
                *longest = longest.max(run.time().map_or(0.0, |time| time.median));
            }
        }
        shown.sort_by(|&a, &b| longest[b].total_cmp(&longest[a]));
        shown.truncate(ROW_COUNT_MAX);
        shown.sort_unstable();
    }
    shown
}

fn puzzle_row(out: &mut String, puzzle: &PuzzleInfo, has_sizes: bool, runs: &[Option<&PuzzleRun>]) {
    let done = || runs.iter().flatten().copied().filter(|run| run.outcome == PuzzleOutcome::Finished);
    let time = |run: &PuzzleRun| run.time().map(|time| time.median);
    let best = done().filter_map(time).reduce(f64::min);
    let name = show::shorten_before(&puzzle.name, 32);
    push!(out, "<tr><th scope=\"row\" title=\"{}\">{}</th>", Escaped(&puzzle.name), Escaped(&name));
    if has_sizes {
        push_number(out, &puzzle.size.map_or_else(String::new, |size| size.to_string()));
    }
    for run in runs {
        let time = run.and_then(time);
        let text = time.map_or_else(String::new, show::seconds);
        let title = |reason: &str| format!(" title=\"{}\"", Escaped(reason));
        let (class, text, attribute) = match run.map(|run| &run.outcome) {
            None => ("n", String::new(), String::new()),
            Some(PuzzleOutcome::Finished) => {
                let value = time.map_or_else(String::new, |time| format!(" data-v=\"{time}\""));
                (if time == best { "n best" } else { "n" }, text, value)
            }
            Some(PuzzleOutcome::Limit(limit)) => ("n late", format!("> {text}"), title(limit)),
            Some(PuzzleOutcome::Failed(reason)) => ("n late", "failed".to_owned(), title(reason)),
            Some(PuzzleOutcome::Wrong(reason)) => ("n note", "wrong".to_owned(), title(reason)),
        };
        push!(out, "<td class=\"{class}\"{attribute}>{}</td>", Escaped(&text));
    }
    push_number(out, done().next().map_or("", |run| &run.solutions));
    push_number(out, &puzzle.items.to_string());
    push_number(out, &puzzle.options.to_string());
    out.push_str("</tr>\n");
}

fn push_number(out: &mut String, number: &str) {
    let shown = show::number(number);
    push!(out, "<td class=\"n\" data-v=\"{}\">{}</td>", Escaped(number), Escaped(&shown));
}

fn method(comparison: &Comparison) -> String {
    let Comparison { machine, settings, command, version, .. } = comparison;
    let mut out = String::new();
    if !command.is_empty() {
        pushln!(out, "<pre class=\"command\">{}</pre>", Escaped(&shell(command)));
    }
    out.push_str(
        "<p>The contenders took turns: a round is one pass of each over all puzzles, so that what \
         disturbs the machine \
         for a while disturbs all. Two are compared round by round. The answers were compared puzzle \
         by puzzle, by the \
         number of solutions and, where all were seen, by a digest of them.</p>\n<dl>\n",
    );
    let rounds = comparison.contenders.iter().map(|contender| contender.rounds.len());
    let rounds = (rounds.clone().filter(|rounds| *rounds > 0).min(), rounds.max());
    let rounds = match rounds {
        (Some(least), Some(most)) if least < most => format!("{least} to {most}"),
        (Some(least), _) => least.to_string(),
        _ => String::new(),
    };
    let seconds = |seconds: f64| if seconds > 0.0 { show::seconds(seconds) } else { String::new() };
    let number = |number: Option<u64>| number.map_or(String::new(), |n| show::group(&n.to_string()));
    let precision = settings.precision * 100.0;
    let facts = [
        ("Rounds", rounds),
        ("Time of a contender, at most", seconds(settings.time)),
        ("Time of a puzzle, at most", settings.each.map_or(String::new(), seconds)),
        ("Solutions of a puzzle, at most", number(settings.solutions)),
        ("Nodes of a puzzle, at most", number(settings.nodes)),
        (
            "Precision wished",
            if precision > 0.0 { format!("± {}", percent(precision)) } else { String::new() },
        ),
        ("Processor", machine.processor.clone()),
        ("Cores", if machine.cores > 0 { machine.cores.to_string() } else { String::new() }),
        ("Vector instructions", machine.features.join(", ")),
        ("System", machine.system.clone()),
        ("Version", if version.is_empty() { String::new() } else { format!("farandole {version}") }),
        ("Date", date(&comparison.date)),
    ];
    for (name, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
        pushln!(out, "<dt>{name}</dt><dd>{}</dd>", Escaped(value));
    }
    out + "</dl>\n"
}

fn percent(value: f64) -> String {
    format!("{} %", (value * 100.0).round() / 100.0)
}

fn shell(words: &[String]) -> String {
    let is_plain = |char: char| char.is_alphanumeric() || "-_./=:,+@%".contains(char);
    let quote = |word: &String| {
        let needs_none = !word.is_empty() && word.chars().all(is_plain);
        if needs_none { word.clone() } else { format!("'{}'", word.replace('\'', "'\\''")) }
    };
    words.iter().map(quote).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    /// Checks that every HTML element is closed in the right order; returns the names of all
    /// elements.
    fn elements(page: &str) -> Vec<String> {
        const VOID: [&str; 2] = ["meta", "br"];
        let (mut open, mut all) = (Vec::new(), Vec::new());
        let body = page.strip_prefix("<!DOCTYPE html>").expect("a page begins with its type");
        let (before, script) = body.split_once("<script>").expect("the page has its script");
        let (_, after) = script.split_once("</script>").expect("the script ends");
        for part in format!("{before}{after}").split('<').skip(1) {
            let (tag, _) = part.split_once('>').unwrap_or_else(|| panic!("not closed: {part}"));
            let name: String = tag.chars().take_while(|c| !c.is_whitespace() && *c != '>').collect();
            if let Some(name) = name.strip_prefix('/') {
                assert_eq!(open.pop().as_deref(), Some(name), "at {part}");
            } else if !tag.ends_with('/') && !VOID.contains(&name.as_str()) {
                open.push(name.clone());
                all.push(name);
            }
        }
        assert!(open.is_empty(), "left open: {open:?}");
        all
    }

    #[test]
    fn html_pages_of_all_samples_are_well_formed() {
        for (name, comparison) in samples::all() {
            let page = html(&comparison);
            assert!(!page.replace("isNaN(", "").contains("NaN") && !page.contains("{{"), "{name}");
            let tables = elements(&page).iter().filter(|element| *element == "table").count();
            let expected =
                usize::from(comparison.contenders.iter().any(|contender| contender.refusal.is_none()))
                    + usize::from(!comparison.puzzles.is_empty());
            assert_eq!(tables, expected, "{name}");
        }
    }

    #[test]
    fn html_pages_refer_to_no_other_files() {
        for (name, comparison) in samples::all() {
            let page = html(&comparison).replace("http://www.w3.org/2000/svg", "");
            for foreign in ["http:", "https:", "src=", "url(", "@import", "<link"] {
                assert!(!page.contains(foreign), "{name} has {foreign}");
            }
        }
    }

    #[test]
    fn markup_in_names_is_escaped_in_html() {
        let page = html(&samples::strange_names());
        assert_eq!(page.matches("<script>").count(), 1);
        assert!(!page.contains("<b>busy"));
        assert!(page.contains("a&lt;b&amp;&quot;c&quot;"));
    }

    #[test]
    fn pages_state_the_number_of_omitted_puzzles() {
        let (_, many) = samples::all().into_iter().find(|(name, _)| *name == "many puzzles").unwrap();
        let page = html(&many);
        assert!(page.contains("Of 10,000 puzzles only the 1,000 that took any contender longest"));
        assert_eq!(page.matches("<tr><th scope=\"row\" title").count(), 1000);
        assert!(page.len() < 2_000_000, "{} bytes", page.len());
        assert!(page.matches(">&gt; 1.01 s</td>").count() >= 1000);
        assert_eq!(page.matches("<style>").count(), 2, "the style of plots stands once");
        assert!(!html(&samples::range()).contains(" only the "));
    }

    #[test]
    fn the_table_of_puzzles_marks_the_best_time_and_failures() {
        let (_, crashes) = samples::all().into_iter().find(|(name, _)| *name == "crashes").unwrap();
        let page = html(&crashes);
        assert_eq!(page.matches(">failed</td>").count(), 3);
        assert_eq!(page.matches(" title=\"two queens in a row\">wrong</td>").count(), 1);
        assert_eq!(page.matches("<td class=\"n best\"").count(), 5);
        assert!(page.contains("failed on 3 puzzles: exit status 139 &lt;segmentation | fault&gt;"));
    }

    #[test]
    fn a_mismatch_is_shown_before_the_tables() {
        let (_, mismatch) = samples::all().into_iter().find(|(name, _)| *name == "mismatch").unwrap();
        let page = html(&mismatch);
        let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text}"));
        assert!(!page.contains("1.00×"), "wrong answers have no ratios");
        assert!(at("No verdict") < at("A X:&lt;1&gt;"));
        assert!(at("A X:&lt;1&gt;") < at("<table>"));
    }

    #[test]
    fn commands_are_quoted_for_a_shell() {
        let words = ["farandole", "--with", "a=b {in}", "it's", ""].map(str::to_owned);
        assert_eq!(shell(&words), r"farandole --with 'a=b {in}' 'it'\''s' ''");
    }

    #[test]
    fn dates_are_shown_without_seconds() {
        assert_eq!(date("2026-11-21T19:30:00Z"), "2026-11-21 19:30 UTC");
        assert_eq!(date("today"), "today");
    }
}
