# A Homebrew formula. `.ci/release recipes` fills in the words between @ signs.
class Farandole < Formula
  desc "Exact-cover solver: Sudoku, polyominoes, queens and Latin squares"
  homepage "@REPOSITORY@"
  url "@SOURCE@"
  sha256 "@SHA256@"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    ENV["FARANDOLE_RELEASE"] = "1"
    system "cargo", "install", *std_cargo_args
    generate_completions_from_executable(bin/"farandole", "completions")
    system bin/"farandole", "man", "--out", "man"
    man1.install Dir["man/*.1"]
  end

  test do
    assert_equal "92\n", shell_output("#{bin}/farandole count --puzzle queens 8")
  end
end
