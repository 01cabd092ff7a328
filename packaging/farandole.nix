# `nix-build -E '(import <nixpkgs> {}).callPackage ./packaging/farandole.nix {}'` in a clone.
{ lib, rustPlatform, installShellFiles }:

rustPlatform.buildRustPackage {
  pname = "farandole";
  version = (lib.importTOML ../Cargo.toml).workspace.package.version;
  src = lib.cleanSource ../.;
  cargoLock.lockFile = ../Cargo.lock;
  cargoBuildFlags = [ "--bin" "farandole" ];
  # The tests need a browser and Python; `.ci/run` runs them.
  doCheck = false;
  nativeBuildInputs = [ installShellFiles ];
  FARANDOLE_RELEASE = "1";
  postInstall = ''
    $out/bin/farandole man --out man
    installManPage man/*.1
    for shell in bash fish zsh; do
      $out/bin/farandole completions $shell > farandole.$shell
    done
    installShellCompletion farandole.{bash,fish,zsh}
  '';
  meta = {
    description = "Exact-cover solver: Sudoku, polyominoes, queens and Latin squares";
    license = with lib.licenses; [ mit asl20 ];
    mainProgram = "farandole";
  };
}
