//! What a JPEG's markers say, read without decoding it.
//!
//! The decoder fills what a cut-off file lacks with grey and calls it a picture; a webcam's frame may
//! leave out its Huffman tables. Both are seen here, before decoding (ITU T.81, annex B).

/// What [`scan`] found on the way from the first marker to the last.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Scan {
    /// Bytes from the start of the picture to behind its end marker.
    pub length: usize,
    /// Colour channels of the frame header: 1 grey, 3 colour, 4 CMYK.
    pub channels: u8,
    pub has_huffman_tables: bool,
    /// The Adobe segment is there; it says that CMYK is stored inverted.
    pub has_adobe: bool,
}

/// Follows the markers to the end of the first picture. `None`: not a JPEG, or it ends early.
pub(super) fn scan(bytes: &[u8]) -> Option<Scan> {
    if !bytes.starts_with(&[0xFF, 0xD8]) {
        return None;
    }
    let mut found = Scan::default();
    let mut at = 2;
    loop {
        let (marker, behind) = next_marker(bytes, at)?;
        if marker == 0xD9 {
            found.length = behind;
            return Some(found);
        }
        let length = usize::from(u16::from_be_bytes([
            *bytes.get(behind)?,
            *bytes.get(behind + 1)?,
        ]));
        let segment = bytes.get(behind + 2..behind + length)?;
        match marker {
            0xC4 => found.has_huffman_tables = true,
            0xC8 | 0xCC => {}
            0xC0..=0xCF => found.channels = *segment.get(5)?,
            0xEE => found.has_adobe |= segment.starts_with(b"Adobe"),
            _ => {}
        }
        at = behind + length;
    }
}

/// The next marker that begins a segment or ends the picture, and the place behind it. Skips coded
/// data with its stuffed zeros and restart markers.
pub(super) fn next_marker(bytes: &[u8], from: usize) -> Option<(u8, usize)> {
    let mut at = from;
    loop {
        at += bytes.get(at..)?.iter().position(|&byte| byte == 0xFF)?;
        match *bytes.get(at + 1)? {
            0x00 | 0x01 | 0xD0..=0xD7 => at += 2,
            0xFF => at += 1,
            marker => return Some((marker, at + 2)),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// A JPEG's skeleton: a comment that holds an end marker, a frame header, a scan with a stuffed
    /// zero and a restart marker.
    const SKELETON: &[u8] = &[
        0xFF, 0xD8, 0xFF, 0xFE, 0, 4, 0xFF, 0xD9, 0xFF, 0xC0, 0, 8, 8, 0, 1, 0, 1, 3, 0xFF, 0xDA,
        0, 2, 1, 0xFF, 0, 2, 0xFF, 0xD0, 3, 0xFF, 0xD9,
    ];

    #[test]
    fn the_end_is_found_behind_segments_and_coded_data() {
        let mut bytes = SKELETON.to_vec();
        bytes.extend_from_slice(&[0; 9]);
        let found = scan(&bytes).unwrap();
        assert_eq!(found.length, SKELETON.len());
        assert_eq!(found.channels, 3);
        assert!(!found.has_huffman_tables && !found.has_adobe);
    }

    #[test]
    fn every_shorter_piece_ends_early() {
        for length in 0..SKELETON.len() {
            assert_eq!(scan(&SKELETON[..length]), None, "{length} bytes");
        }
    }
}
