//! Still pictures: what is read, what is converted with a note, what is refused with one sentence.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![cfg(any(feature = "camera", feature = "vision"))]

use std::{
    fs,
    io::Cursor,
    path::{Path, PathBuf},
};

use image::{DynamicImage, ImageBuffer, ImageFormat, Luma, LumaA, Rgb, Rgba};
use sightline::capture::{Picture, still};
use tempfile::TempDir;

/// Six fields of 16x16 pixels side by side.
fn fields(colours: [[u8; 3]; 6]) -> DynamicImage {
    ImageBuffer::from_fn(96, 16, |x, _| Rgb(colours[x as usize / 16])).into()
}

const COLOURS: [[u8; 3]; 6] = [
    [220, 40, 30],
    [30, 160, 60],
    [40, 60, 200],
    [240, 230, 60],
    [20, 20, 20],
    [250, 250, 250],
];

fn encode(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn file(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn colour_at(picture: &Picture, x: u32, y: u32) -> [u8; 3] {
    let at = (y * picture.width() + x) as usize * 3;
    picture.rgb()[at..at + 3].try_into().unwrap()
}

fn assert_fields(picture: &Picture, colours: [[u8; 3]; 6], tolerance: u8) {
    assert_eq!((picture.width(), picture.height()), (96, 16));
    for (field, expected) in colours.iter().enumerate() {
        let seen = colour_at(picture, field as u32 * 16 + 8, 8);
        let is_near = |i: usize| seen[i].abs_diff(expected[i]) <= tolerance;
        assert!(
            (0..3).all(is_near),
            "field {field}: {seen:?} for {expected:?}"
        );
    }
}

/// The error is one sentence with the file's name and holds `part`.
fn assert_refused(path: &Path, part: &str) {
    let error = still::load(path).expect_err("must be refused").to_string();
    let name = path.file_name().unwrap().to_str().unwrap();
    assert!(error.contains(name) && error.contains(part), "{error}");
    assert!(!error.contains('\n'), "{error}");
}

#[test]
fn jpeg_and_png_are_read_by_what_they_hold_not_by_their_name() {
    let folder = TempDir::new().unwrap();
    let picture = fields(COLOURS);
    for (name, format, tolerance) in [
        ("a.png", ImageFormat::Png, 0),
        ("a.jpg", ImageFormat::Jpeg, 12),
        ("jpeg.png", ImageFormat::Jpeg, 12),
    ] {
        let path = file(&folder, name, &encode(&picture, format));
        let (read, note) = still::load(&path).unwrap();
        assert_fields(&read, COLOURS, tolerance);
        assert_eq!(note, None);
    }
}

#[test]
fn a_file_that_ends_early_is_an_error_wherever_it_ends() {
    let folder = TempDir::new().unwrap();
    for (name, format) in [
        ("cut.jpg", ImageFormat::Jpeg),
        ("cut.png", ImageFormat::Png),
    ] {
        let whole = encode(&fields(COLOURS), format);
        for length in 1..whole.len() {
            let path = file(&folder, name, &whole[..length]);
            let part = if length < 8 { name } else { "ends early" };
            assert_refused(&path, part);
        }
        // A download that was broken off may be filled up with zeros.
        let mut filled = whole[..whole.len() - 20].to_vec();
        filled.resize(whole.len() + 500, 0);
        assert_refused(&file(&folder, name, &filled), name);
    }
}

#[test]
fn what_follows_a_whole_picture_does_no_harm() {
    let folder = TempDir::new().unwrap();
    for (name, format) in [
        ("more.jpg", ImageFormat::Jpeg),
        ("more.png", ImageFormat::Png),
    ] {
        let mut bytes = encode(&fields(COLOURS), format);
        bytes.extend_from_slice(b"a phone's appendix");
        assert_fields(
            &still::load(&file(&folder, name, &bytes)).unwrap().0,
            COLOURS,
            12,
        );
    }
}

#[test]
fn other_things_are_refused() {
    let folder = TempDir::new().unwrap();
    assert_refused(&file(&folder, "empty.png", b""), "is empty (0 bytes)");
    assert_refused(
        &file(&folder, "text.jpg", b"not a picture at all"),
        "not a JPEG or PNG",
    );
    assert_refused(
        &file(&folder, "a.gif", b"GIF89a\x01\x00\x01\x00\x80\x00\x00"),
        "convert",
    );
    assert_refused(&folder.path().join("nowhere.png"), "cannot be read");
    fs::create_dir(folder.path().join("folder.png")).unwrap();
    assert_refused(&folder.path().join("folder.png"), "is not a file");
    let mut damaged = encode(&fields(COLOURS), ImageFormat::Png);
    damaged[45] ^= 0xFF;
    assert_refused(&file(&folder, "damaged.png", &damaged), "is damaged");
    // A JPEG with its markers in place, and each byte of its tables spoilt in turn: read or refused.
    let whole = encode(&fields(COLOURS), ImageFormat::Jpeg);
    let mut refused = 0;
    for at in 2..600 {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x55;
        let path = file(&folder, "damaged.jpg", &damaged);
        if still::load(&path).is_err() {
            assert_refused(&path, "damaged.jpg");
            refused += 1;
        }
    }
    assert!(refused > 50, "{refused}");
}

/// Decoders make pixels of whatever stands behind a flipped bit.
#[test]
fn a_jpeg_with_flipped_bits_is_refused() {
    let folder = TempDir::new().unwrap();
    let noisy: DynamicImage = ImageBuffer::from_fn(160, 128, |x, y| {
        let n = x
            .wrapping_mul(2_654_435_761)
            .wrapping_add(y.wrapping_mul(40_503))
            >> 13;
        Rgb([n as u8 & 127, (x + y) as u8, 255 - y as u8])
    })
    .into();
    let whole = encode(&noisy, ImageFormat::Jpeg);
    assert!(still::load(&file(&folder, "whole.jpg", &whole)).is_ok());
    let coded = whole
        .windows(2)
        .position(|pair| pair == [0xFF, 0xDA])
        .unwrap()
        + 14;
    let mut refused = 0;
    for round in 0..100 {
        let mut damaged = whole.clone();
        for n in 0..8 {
            let at = coded + (round * 7919 + n * 104_729) % (whole.len() - coded - 2);
            damaged[at] ^= 1 << (n % 8);
        }
        let path = file(&folder, "damaged.jpg", &damaged);
        if still::load(&path).is_err() {
            assert_refused(&path, "damaged.jpg");
            refused += 1;
        }
    }
    // flips that keep the codes in step are not seen: 84 were refused when this was written
    assert!(refused >= 75, "{refused} of 100");
}

/// Progressive, with restart markers, and both, of a size that fills no block.
#[test]
fn whole_jpegs_of_every_kind_are_read_and_damaged_ones_are_not() {
    use opencv::{
        core::{CV_8UC3, Mat, Vector},
        imgcodecs::{self, IMWRITE_JPEG_PROGRESSIVE, IMWRITE_JPEG_RST_INTERVAL},
        prelude::*,
    };
    let folder = TempDir::new().unwrap();
    let mut bgr = Mat::zeros(61, 93, CV_8UC3).unwrap().to_mat().unwrap();
    for (n, byte) in bgr.data_bytes_mut().unwrap().iter_mut().enumerate() {
        *byte = (n * n >> 5) as u8;
    }
    for (progressive, restarts) in [(0, 0), (1, 0), (0, 1), (1, 2)] {
        let flags = [
            IMWRITE_JPEG_PROGRESSIVE,
            progressive,
            IMWRITE_JPEG_RST_INTERVAL,
            restarts,
        ];
        let mut bytes = Vector::<u8>::new();
        imgcodecs::imencode(".jpg", &bgr, &mut bytes, &Vector::from_slice(&flags)).unwrap();
        let mut bytes = bytes.to_vec();
        let has = |pair: [u8; 2]| bytes.windows(2).any(|p| p == pair);
        assert_eq!(
            (has([0xFF, 0xC2]), has([0xFF, 0xD0])),
            (progressive > 0, restarts > 0)
        );
        still::load(&file(&folder, "whole.jpg", &bytes)).unwrap();
        let end = bytes.len();
        for at in (end / 2..end - 2).step_by(40) {
            bytes[at] = !bytes[at];
        }
        assert_refused(&file(&folder, "damaged.jpg", &bytes), "damaged.jpg");
    }
}

/// The pixels are whole; only what vouches for them is not.
#[test]
fn a_png_whose_checksum_is_wrong_is_refused() {
    let folder = TempDir::new().unwrap();
    let mut damaged = encode(&fields(COLOURS), ImageFormat::Png);
    let data = damaged.windows(4).position(|four| four == b"IDAT").unwrap();
    let length = u32::from_be_bytes(damaged[data - 4..data].try_into().unwrap()) as usize;
    damaged[data + 4 + length] ^= 1;
    assert_refused(&file(&folder, "checksum.png", &damaged), "is damaged");
}

#[test]
#[cfg(target_os = "linux")]
fn what_would_block_or_never_end_is_refused() {
    assert_refused(Path::new("/dev/zero"), "is not a file");
}

/// A PNG header without anything behind it.
fn png_header(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = encode(&fields(COLOURS), ImageFormat::Png);
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let crc = crc32(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&crc.to_be_bytes());
    bytes
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc: u32, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

#[test]
fn a_picture_of_too_many_pixels_is_refused_before_it_is_decoded() {
    let folder = TempDir::new().unwrap();
    let path = file(&folder, "huge.png", &png_header(20_000, 20_000));
    assert_refused(&path, "20000x20000, more than 64 megapixels");
    let path = file(&folder, "wide.png", &png_header(0x7FFF_FFFF, 0x7FFF_FFFF));
    assert_refused(&path, "wide.png");
    let mut jpeg = encode(&fields(COLOURS), ImageFormat::Jpeg);
    let frame = jpeg
        .windows(2)
        .position(|pair| pair == [0xFF, 0xC0])
        .unwrap();
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0x4E, 0x20, 0x4E, 0x20]);
    assert_refused(&file(&folder, "huge.jpg", &jpeg), "20000x20000");
}

#[test]
fn other_depths_and_colours_are_converted_with_a_note() {
    let folder = TempDir::new().unwrap();
    let deep: DynamicImage = ImageBuffer::from_fn(96, 16, |x, _| {
        Rgb(COLOURS[x as usize / 16].map(|c| u16::from(c) * 257))
    })
    .into();
    let clear: DynamicImage = ImageBuffer::from_fn(96, 16, |x, y| {
        let [r, g, b] = COLOURS[x as usize / 16];
        Rgba([r, g, b, (y * 16) as u8])
    })
    .into();
    for (name, picture, expected) in [
        ("deep.png", deep, "16 bits a channel, read as 8"),
        ("clear.png", clear, "transparency left out"),
    ] {
        let path = file(&folder, name, &encode(&picture, ImageFormat::Png));
        let (read, note) = still::load(&path).unwrap();
        assert_fields(&read, COLOURS, 0);
        let note = note.unwrap();
        assert!(note.contains(name) && note.contains(expected), "{note}");
    }

    let greys = [0, 50, 100, 150, 200, 255].map(|grey| [grey; 3]);
    let grey: DynamicImage =
        ImageBuffer::from_fn(96, 16, |x, _| Luma([greys[x as usize / 16][0]])).into();
    let deep_grey: DynamicImage = ImageBuffer::from_fn(96, 16, |x, _| {
        LumaA([u16::from(greys[x as usize / 16][0]) * 257, 9])
    })
    .into();
    for (name, bytes, tolerance, expected) in [
        ("grey.png", encode(&grey, ImageFormat::Png), 0, "grey"),
        ("grey.jpg", encode(&grey, ImageFormat::Jpeg), 6, "grey"),
        (
            "deep_grey.png",
            encode(&deep_grey, ImageFormat::Png),
            0,
            "16 bits a channel, read as 8; grey, without colour to tell things apart by; transparency",
        ),
    ] {
        let (read, note) = still::load(&file(&folder, name, &bytes)).unwrap();
        assert_fields(&read, greys, tolerance);
        assert!(note.unwrap().contains(expected));
    }
}

/// Both files hold the inks (C, M, Y, K) none, C, M, Y, K and (0, 128, 255, 64): one stored plainly as
/// Pillow does it, one as YCCK as ImageMagick does it.
#[test]
fn cmyk_has_the_right_colours() {
    let expected = [
        [255, 255, 255],
        [0, 255, 255],
        [255, 0, 255],
        [255, 255, 0],
        [0, 0, 0],
        [191, 95, 0],
    ];
    for name in ["cmyk_adobe.jpg", "ycck_adobe.jpg"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/data")
            .join(name);
        let (read, note) = still::load(&path).unwrap();
        assert_fields(&read, expected, 4);
        assert!(note.unwrap().contains("CMYK"));
    }
}

#[test]
fn cmyk_that_may_be_inverted_or_not_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/cmyk_adobe.jpg");
    let mut bytes = fs::read(path).unwrap();
    let adobe = bytes.windows(5).position(|five| five == b"Adobe").unwrap();
    bytes[adobe] = b'a';
    assert_refused(&file(&folder, "plain.jpg", &bytes), "save it as RGB");
}

#[test]
fn a_turn_written_into_the_file_is_ignored() {
    let folder = TempDir::new().unwrap();
    let mut bytes = encode(&fields(COLOURS), ImageFormat::Jpeg);
    // One entry, orientation (0x0112) = 6: to be shown turned by a quarter.
    let exif = b"\xFF\xE1\x00\x22Exif\0\0MM\0\x2A\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    bytes.splice(2..2, exif.iter().copied());
    let mut decoder = image::ImageReader::with_format(Cursor::new(&bytes), ImageFormat::Jpeg)
        .into_decoder()
        .unwrap();
    let orientation = image::ImageDecoder::orientation(&mut decoder).unwrap();
    assert_eq!(
        orientation,
        image::metadata::Orientation::Rotate90,
        "the test file is turned"
    );
    assert_fields(
        &still::load(&file(&folder, "turned.jpg", &bytes)).unwrap().0,
        COLOURS,
        12,
    );
}
