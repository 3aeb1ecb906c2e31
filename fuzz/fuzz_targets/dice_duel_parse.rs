//! States, set-ups as text, and what calls are about.
//!
//! `./run fuzz`, or `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none dice_duel_parse`

#![no_main]

use libfuzzer_sys::fuzz_target;
use sightline::rules::dice_duel::{Core, Setup, What};
use sightline_fuzz::{dice_duel_print, judged, told};

fuzz_target!(|data: &[u8]| {
    judged::<Core>(data);
    let text = std::str::from_utf8(data).unwrap_or_default();
    if let Ok(what) = text.parse::<What>() {
        assert_eq!(what.to_string().parse(), Ok(what), "what a call is about");
    }
    // The end of the text, so that what is before it is read as it is.
    let print = dice_duel_print(&data[data.len().saturating_sub(4)..]);
    if let Some(position) = told::<Core>(data, &print) {
        assert_eq!(position.calls().len(), position.verdicts().len());
    }
    if let Ok(setup) = text.parse::<Setup>() {
        let claims: Setup = setup.to_string().parse().expect("claims that were written");
        assert_eq!(claims.resolve(&print), setup.resolve(&print));
    }
});
