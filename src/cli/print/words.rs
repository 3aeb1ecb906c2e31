//! How wide words are in Helvetica, which every reader of PDF has and no file needs to carry.

/// Widths of ' ' to '~' in thousandths of the letters' size, as Adobe's font metrics give them.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// How wide a line is whose letters are `height` mm in size; a tenth is added for bold ones.
pub(super) fn width_mm(text: &str, height: f64, bold: bool) -> f64 {
    let thousandths: u32 = text
        .bytes()
        .map(|b| {
            let width = WIDTHS.get(usize::from(b).wrapping_sub(usize::from(b' ')));
            u32::from(*width.unwrap_or(&1000))
        })
        .sum();
    f64::from(thousandths) / 1000.0 * height * if bold { 1.1 } else { 1.0 }
}

/// Lines no wider than `width` mm; a word that is wider stands alone.
pub(super) fn wrapped(text: &str, height: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width_mm(&format!("{line} {word}"), height, false) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
