//! Whether a JPEG's coded data are as many blocks as its headers announce, read without making pixels.
//!
//! Decoders make pixels of whatever they find, also behind a flipped bit, and those that are at hand say
//! nothing of it. Here the Huffman codes are followed (ITU T.81, annexes F and G): behind a fault codes run
//! out of their block, and data are left over or missing at the end.

use std::collections::HashMap;

use super::jpeg::next_marker;

/// Whether the coded data of a whole JPEG are damaged. What is not Huffman-coded in 8 bits is not judged,
/// nor is damage that keeps every code in step.
pub(super) fn is_damaged(bytes: &[u8]) -> bool {
    walk(bytes).is_err()
}

/// The data do not fit their headers.
struct Damaged;

type Walked<T> = Result<T, Damaged>;

#[derive(Default)]
struct Tables {
    dc: HashMap<u8, Codes>,
    ac: HashMap<u8, Codes>,
}

fn walk(bytes: &[u8]) -> Walked<()> {
    let mut tables = Tables::default();
    let mut frame: Option<Frame> = None;
    let mut restart = 0;
    let mut at = 2;
    loop {
        let (marker, behind) = next_marker(bytes, at).ok_or(Damaged)?;
        if marker == 0xD9 {
            return match frame {
                Some(frame) if !frame.components.iter().all(|c| c.is_scanned) => Err(Damaged),
                _ => Ok(()),
            };
        }
        let length = usize::from(u16_at(bytes, behind)?);
        let segment = bytes.get(behind + 2..behind + length).ok_or(Damaged)?;
        at = behind + length;
        match marker {
            0xC4 => read_tables(segment, &mut tables)?,
            0xC0..=0xC2 => match Frame::read(segment, marker == 0xC2)? {
                Some(read) => frame = Some(read),
                None => return Ok(()),
            },
            0xC8 | 0xCC => {}
            0xC3..=0xCF => return Ok(()),
            0xDD => restart = usize::from(u16_at(segment, 0)?),
            0xDA => {
                let frame = frame.as_mut().ok_or(Damaged)?;
                let scan = Scan::read(segment, frame)?;
                let (_, end) = next_marker(bytes, at).ok_or(Damaged)?;
                let coded = bytes.get(at..end - 2).ok_or(Damaged)?;
                scan.walk(coded, frame, &tables, restart)?;
                at = end - 2;
            }
            _ => {}
        }
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Walked<u16> {
    match bytes.get(at..at + 2) {
        Some(&[a, b]) => Ok(u16::from_be_bytes([a, b])),
        _ => Err(Damaged),
    }
}

fn byte(bytes: &[u8], at: usize) -> Walked<u8> {
    bytes.get(at).copied().ok_or(Damaged)
}

/// Length and symbol of the code that 16 bits begin with; length 0 where none does.
struct Codes(Vec<(u8, u8)>);

fn read_tables(mut segment: &[u8], tables: &mut Tables) -> Walked<()> {
    while let Some((&class, rest)) = segment.split_first() {
        let (counts, rest) = rest.split_at_checked(16).ok_or(Damaged)?;
        let total = counts.iter().map(|c| usize::from(*c)).sum();
        let (mut symbols, rest) = rest.split_at_checked(total).ok_or(Damaged)?;
        let mut codes = Vec::with_capacity(1 << 16);
        for (length, count) in (1u8..=16).zip(counts) {
            let (here, later) = symbols
                .split_at_checked(usize::from(*count))
                .ok_or(Damaged)?;
            for symbol in here {
                codes.extend(std::iter::repeat_n((length, *symbol), 1 << (16 - length)));
            }
            symbols = later;
        }
        if codes.len() > 1 << 16 {
            return Err(Damaged);
        }
        codes.resize(1 << 16, (0, 0));
        let kind = if class >> 4 == 0 {
            &mut tables.dc
        } else {
            &mut tables.ac
        };
        kind.insert(class & 15, Codes(codes));
        segment = rest;
    }
    Ok(())
}

struct Component {
    id: u8,
    /// Blocks of one MCU across and down.
    across: usize,
    down: usize,
    is_scanned: bool,
    /// Of each block, in a progressive picture, which coefficients are no longer zero.
    nonzero: Vec<u64>,
}

struct Frame {
    width: usize,
    height: usize,
    is_progressive: bool,
    components: Vec<Component>,
}

impl Frame {
    /// `None`: not one that is judged here.
    fn read(segment: &[u8], is_progressive: bool) -> Walked<Option<Self>> {
        let (height, width) = (u16_at(segment, 1)?.into(), u16_at(segment, 3)?.into());
        if byte(segment, 0)? != 8 || height == 0 {
            return Ok(None);
        }
        let count = usize::from(byte(segment, 5)?);
        let listed = segment.get(6..6 + 3 * count).ok_or(Damaged)?;
        let components = listed
            .chunks_exact(3)
            .map(|one| {
                let sampling = byte(one, 1)?;
                let (across, down) = (sampling >> 4, sampling & 15);
                if !(1..=4).contains(&across) || !(1..=4).contains(&down) {
                    return Err(Damaged);
                }
                Ok(Component {
                    id: byte(one, 0)?,
                    across: across.into(),
                    down: down.into(),
                    is_scanned: false,
                    nonzero: Vec::new(),
                })
            })
            .collect::<Walked<Vec<_>>>()?;
        let mut frame = Self {
            width,
            height,
            is_progressive,
            components,
        };
        let (columns, rows) = frame.mcus();
        if is_progressive {
            for c in &mut frame.components {
                c.nonzero = vec![0; columns * rows * c.across * c.down];
            }
        }
        Ok(Some(frame))
    }

    /// Most blocks of an MCU across and down.
    fn most(&self) -> (usize, usize) {
        self.components
            .iter()
            .fold((1, 1), |(a, d), c| (a.max(c.across), d.max(c.down)))
    }

    /// MCUs across and down, of a scan of several components.
    fn mcus(&self) -> (usize, usize) {
        let (across, down) = self.most();
        (
            self.width.div_ceil(8 * across),
            self.height.div_ceil(8 * down),
        )
    }
}

/// A scan's header (T.81, B.2.3).
struct Scan {
    /// Places among the frame's components, with their DC and AC tables.
    parts: Vec<(usize, u8, u8)>,
    /// First and last coefficient.
    band: (u8, u8),
    /// Whether it only refines what a scan before it gave.
    refines: bool,
}

impl Scan {
    fn read(segment: &[u8], frame: &Frame) -> Walked<Self> {
        let count = usize::from(byte(segment, 0)?);
        let parts = segment.get(1..1 + 2 * count).ok_or(Damaged)?;
        let parts = parts
            .chunks_exact(2)
            .map(|one| {
                let (id, tables) = (byte(one, 0)?, byte(one, 1)?);
                let place = frame.components.iter().position(|c| c.id == id);
                Ok((place.ok_or(Damaged)?, tables >> 4, tables & 15))
            })
            .collect::<Walked<Vec<_>>>()?;
        let at = 1 + 2 * count;
        let (first, last) = (byte(segment, at)?, byte(segment, at + 1)?);
        let is_odd =
            first > last || last > 63 || (first == 0) != (last == 0) || count > 1 && last > 0;
        if frame.is_progressive && is_odd {
            return Err(Damaged);
        }
        Ok(Self {
            parts,
            // cameras are known to write anything here where it has no meaning
            band: if frame.is_progressive {
                (first, last)
            } else {
                (0, 63)
            },
            refines: frame.is_progressive && byte(segment, at + 2)? >> 4 > 0,
        })
    }

    fn walk(&self, coded: &[u8], frame: &mut Frame, tables: &Tables, restart: usize) -> Walked<()> {
        let (most_across, most_down) = frame.most();
        let (columns, rows) = match *self.parts.as_slice() {
            [] => return Err(Damaged),
            [(place, ..)] => {
                let c = frame.components.get(place).ok_or(Damaged)?;
                (
                    (frame.width * c.across).div_ceil(8 * most_across),
                    (frame.height * c.down).div_ceil(8 * most_down),
                )
            }
            _ => frame.mcus(),
        };
        let (mcu_columns, _) = frame.mcus();
        let total = columns * rows;
        let interval = if restart == 0 { total } else { restart };
        let mut pieces = pieces(coded)?.into_iter();
        let mut mcu = 0;
        while mcu < total {
            let mut bits = Bits::of(pieces.next().ok_or(Damaged)?);
            let end = total.min(mcu + interval);
            for n in mcu..end {
                let (column, row) = (n % columns, n / columns);
                for &(place, dc, ac) in &self.parts {
                    let c = frame.components.get_mut(place).ok_or(Damaged)?;
                    c.is_scanned |= self.band.0 == 0;
                    let stride = mcu_columns * c.across;
                    let (across, down) = if self.parts.len() == 1 {
                        (1, 1)
                    } else {
                        (c.across, c.down)
                    };
                    for y in 0..down {
                        for x in 0..across {
                            let block = (row * down + y) * stride + column * across + x;
                            let mut none = 0;
                            let nonzero = c.nonzero.get_mut(block).unwrap_or(&mut none);
                            self.block(&mut bits, nonzero, frame.is_progressive, tables, dc, ac)?;
                        }
                    }
                }
            }
            bits.end()?;
            mcu = end;
        }
        // an encoder may have marked a restart behind the last MCU
        if pieces.any(|piece| !piece.is_empty()) {
            return Err(Damaged);
        }
        Ok(())
    }

    fn block(
        &self,
        bits: &mut Bits,
        nonzero: &mut u64,
        is_progressive: bool,
        tables: &Tables,
        dc: u8,
        ac: u8,
    ) -> Walked<()> {
        let (first, last) = self.band;
        if first == 0 {
            if self.refines {
                bits.skip(1)?;
            } else {
                let size = bits.symbol(tables.dc.get(&dc))?;
                if size > 11 {
                    return Err(Damaged);
                }
                bits.skip(size)?;
            }
        }
        if last == 0 {
            return Ok(());
        }
        let ac = tables.ac.get(&ac);
        if self.refines {
            return refine(bits, nonzero, (first, last), ac);
        }
        if bits.end_of_band > 0 {
            bits.end_of_band -= 1;
            return Ok(());
        }
        let mut k = first.max(1);
        while k <= last {
            let symbol = bits.symbol(ac)?;
            let (run, size) = (symbol >> 4, symbol & 15);
            match (run, size) {
                (15, 0) => k += 16,
                (0, 0) => return Ok(()),
                (_, 0) if is_progressive => {
                    bits.end_of_band = (1 << run) - 1 + bits.number(run)?;
                    return Ok(());
                }
                (_, 0 | 11..) => return Err(Damaged),
                _ => {
                    k += run;
                    if k > last {
                        return Err(Damaged);
                    }
                    bits.skip(size)?;
                    *nonzero |= 1 << k;
                    k += 1;
                }
            }
        }
        // a run of sixteen zeros may end a block, but not run out of it
        if k > last + 1 { Err(Damaged) } else { Ok(()) }
    }
}

/// One block of a scan that refines (T.81, G.1.2.3): every coefficient that is no longer zero has a bit.
fn refine(
    bits: &mut Bits,
    nonzero: &mut u64,
    (first, last): (u8, u8),
    ac: Option<&Codes>,
) -> Walked<()> {
    let mut k = first;
    while bits.end_of_band == 0 && k <= last {
        let symbol = bits.symbol(ac)?;
        let (mut run, size) = (symbol >> 4, symbol & 15);
        match size {
            0 if run < 15 => {
                bits.end_of_band = (1 << run) + bits.number(run)?;
                break;
            }
            0 => {}
            1 => bits.skip(1)?,
            _ => return Err(Damaged),
        }
        while k <= last {
            if *nonzero >> k & 1 == 1 {
                bits.skip(1)?;
            } else if run == 0 {
                break;
            } else {
                run -= 1;
            }
            k += 1;
        }
        if size == 1 {
            if k > last {
                return Err(Damaged);
            }
            *nonzero |= 1 << k;
        }
        k += 1;
    }
    if bits.end_of_band > 0 {
        let band = (k..=last).filter(|k| *nonzero >> *k & 1 == 1).count();
        bits.skip(band as u8)?;
        bits.end_of_band -= 1;
    }
    Ok(())
}

/// The coded data between restart markers, which count from 0 to 7, without stuffed zeros.
fn pieces(coded: &[u8]) -> Walked<Vec<Vec<u8>>> {
    let mut pieces = Vec::new();
    let mut piece = Vec::with_capacity(coded.len());
    let mut bytes = coded.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        if byte != 0xFF {
            piece.push(byte);
            continue;
        }
        match bytes.peek() {
            Some(0) => piece.push(0xFF),
            Some(&marker @ 0xD0..=0xD7) => {
                if usize::from(marker & 7) != pieces.len() % 8 {
                    return Err(Damaged);
                }
                pieces.push(std::mem::take(&mut piece));
            }
            // fill bytes
            _ => continue,
        }
        bytes.next();
    }
    pieces.push(piece);
    Ok(pieces)
}

/// Bits of one piece, the highest of a byte first.
struct Bits {
    bytes: Vec<u8>,
    at: usize,
    /// Blocks to come whose band is over already.
    end_of_band: u32,
}

impl Bits {
    fn of(bytes: Vec<u8>) -> Self {
        Self {
            bytes,
            at: 0,
            end_of_band: 0,
        }
    }

    /// The next 16 bits, zeros behind the end.
    fn peek(&self) -> u16 {
        let from = self.at / 8;
        let byte = |n: usize| u32::from(self.bytes.get(from + n).copied().unwrap_or(0));
        let three = byte(0) << 16 | byte(1) << 8 | byte(2);
        (three >> (8 - self.at % 8)) as u16
    }

    fn skip(&mut self, count: u8) -> Walked<()> {
        self.at += usize::from(count);
        if self.at > 8 * self.bytes.len() {
            Err(Damaged)
        } else {
            Ok(())
        }
    }

    fn symbol(&mut self, codes: Option<&Codes>) -> Walked<u8> {
        let codes = &codes.ok_or(Damaged)?.0;
        match codes.get(usize::from(self.peek())) {
            Some(&(length @ 1.., symbol)) => self.skip(length).map(|()| symbol),
            _ => Err(Damaged),
        }
    }

    /// A number of so many bits, fewer than 16.
    fn number(&mut self, count: u8) -> Walked<u32> {
        let number = u32::from(self.peek()) >> (16 - count);
        self.skip(count).map(|()| number)
    }

    /// Nothing but fill bytes is left.
    fn end(&self) -> Walked<()> {
        let left = self.bytes.get(self.at.div_ceil(8)..).unwrap_or_default();
        let is_fill = left.iter().all(|b| *b == 0) || left.iter().all(|b| *b == 0xFF);
        if is_fill && self.end_of_band == 0 {
            Ok(())
        } else {
            Err(Damaged)
        }
    }
}
