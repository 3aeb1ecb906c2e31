use std::process::ExitCode;

fn main() -> ExitCode {
    sightline::cli::main()
}
