//! Tests of the definition of the command line.

#[test]
fn only_the_command_that_is_asked_for_is_defined_as_a_whole() {
    let mut command = super::command();
    let matches = command.try_get_matches_from_mut(["farandole", "list"]);
    assert!(matches.is_ok_and(|matches| matches.subcommand_name() == Some("list")));
    for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
        let is_defined = command.get_arguments().next().is_some();
        assert_eq!(is_defined, command.get_name() == "list", "{}", command.get_name());
    }
}
