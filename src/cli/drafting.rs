//! What an owner told and what photographs show, put together as a copy.

use std::collections::BTreeMap;

use super::pictures::Pictures;
use crate::{
    copy::{
        BOARD, Draft, DraftDie, DraftFace, DraftGrid, DraftMark, DraftMiniature, DraftSide,
        DraftSurface, DraftToken, DraftView, DraftZone, NearFrom, Owner, OwnerBoard, Shape,
    },
    session::{How, how_face, photograph_of_token, photographs_of_face, token_of},
};

/// The headings in which ships are photographed, clockwise from up.
const HEADINGS: [(&str, f64); 4] = [("N", 0.0), ("E", 90.0), ("S", 180.0), ("W", 270.0)];

/// A copy under way.
pub(super) struct Drafting<'a, P> {
    pub owner: &'a Owner,
    pub pictures: &'a mut P,
    pub bar: indicatif::ProgressBar,
}

impl<P: Pictures> Drafting<'_, P> {
    pub fn draft(mut self, name: String) -> anyhow::Result<Draft> {
        let draft = Draft {
            format: 1,
            name,
            game: self.owner.game.clone(),
            dice: self.dice()?,
            displays: self.displays()?,
            boards: self.board()?.into_iter().collect(),
            miniatures: self.miniatures()?,
            tokens: self.tokens()?,
            rules: self.owner.rules.clone(),
        };
        self.bar.finish_and_clear();
        Ok(draft)
    }

    fn dice(&mut self) -> anyhow::Result<Vec<DraftDie>> {
        let mut dice = Vec::new();
        for (kind, symbols) in &self.owner.faces {
            let shape = self.owner.shapes.get(kind);
            let shape = shape.map_or_else(|| Shape::D6.name().to_owned(), Clone::clone);
            let Some(size_mm) = self.owner.die_mm.of(kind) else {
                continue;
            };
            dice.push(DraftDie {
                kind: kind.clone(),
                size_mm,
                means: self.owner.kind_means(kind),
                near: Some(NearFrom::Pictures),
                each: self.owner.dice_per_team.get(kind).copied(),
                read: self.owner.reads.get(kind).copied(),
                faces: self.faces(kind, symbols)?,
                shape,
            });
        }
        Ok(dice)
    }

    fn faces(&mut self, kind: &str, symbols: &[String]) -> anyhow::Result<Vec<DraftFace>> {
        let mut counted: Vec<(&String, u32)> = Vec::new();
        for symbol in symbols {
            match counted.iter_mut().find(|c| c.0 == symbol) {
                Some(c) => c.1 += 1,
                None => counted.push((symbol, 1)),
            }
        }
        let mut faces = Vec::new();
        for (face, count) in counted {
            let numbered: Vec<String> = photographs_of_face(kind, face)
                .filter(|name| self.pictures.has(name))
                .collect();
            if numbered.is_empty() {
                self.pictures.lack(&format!("die_{kind}_{face}_1"));
                continue;
            }
            let to = format!("faces/{kind}-{face}");
            let pictures = self
                .pictures
                .faces(&numbered, &to, how_face(self.owner, kind))?;
            self.bar.inc(numbered.len() as u64);
            if pictures.is_empty() {
                continue;
            }
            faces.push(DraftFace {
                means: self.owner.symbol_means(kind, face),
                face: face.clone(),
                count,
                pictures,
            });
        }
        Ok(faces)
    }

    fn displays(&mut self) -> anyhow::Result<Vec<DraftSurface>> {
        let owner = self.owner;
        let mut displays = Vec::new();
        for team in &owner.teams {
            for (station, zones) in &owner.displays {
                let Some(measured) = owner.measured(station) else {
                    continue;
                };
                let id = format!("{team}.{station}");
                let reference = self.pictures.take(
                    &format!("display_{team}_{station}"),
                    &format!("displays/{team}-{station}"),
                    How::Surface(measured),
                )?;
                self.bar.inc(1);
                let number = owner.station_number.get(station);
                displays.push(DraftSurface {
                    id,
                    means: format!("{team}.{}", owner.station(station)),
                    size_mm: measured.size_mm,
                    thickness_mm: measured.thickness_mm,
                    powered_by: number.copied().into_iter().collect(),
                    reference,
                    grid: None,
                    zones: self.zones(station, zones),
                });
            }
        }
        Ok(displays)
    }

    fn board(&mut self) -> anyhow::Result<Option<DraftSurface>> {
        let (Some(board), Some(measured)) = (&self.owner.board, self.owner.measured(BOARD)) else {
            return Ok(None);
        };
        let how = How::Surface(measured);
        let reference = self.pictures.take("board", "boards/board", how)?;
        self.bar.inc(1);
        Ok(Some(DraftSurface {
            id: "board".to_owned(),
            means: "board".to_owned(),
            size_mm: measured.size_mm,
            thickness_mm: measured.thickness_mm,
            powered_by: Vec::new(),
            reference,
            grid: Some(DraftGrid {
                origin_mm: board.grid_origin_mm,
                square_mm: board.square_mm,
                columns: board.cols,
                rows: board.rows,
                marked: marks(board),
            }),
            zones: self.zones(BOARD, &board.zones),
        }))
    }

    fn zones(&self, surface: &str, drawn: &BTreeMap<String, Vec<[f64; 2]>>) -> Vec<DraftZone> {
        let zone = |(name, polygon): (&String, &Vec<[f64; 2]>)| {
            let means = self.owner.zone_means(surface, name);
            DraftZone {
                zone: name.clone(),
                means: (means != *name).then_some(means),
                polygon_mm: polygon.clone(),
                takes: Vec::new(),
            }
        };
        drawn.iter().map(zone).collect()
    }

    fn miniatures(&mut self) -> anyhow::Result<Vec<DraftMiniature>> {
        let owner = self.owner;
        let mut miniatures = Vec::new();
        // ships stand on a board
        let Some(board) = &owner.board else {
            return Ok(miniatures);
        };
        for team in &owner.teams {
            let named = HEADINGS.map(|(heading, degrees)| {
                let name = format!("ship_{team}_{heading}");
                (name, format!("ships/{team}-{heading}"), degrees)
            });
            let views = self.pictures.views(&named)?;
            self.bar.inc(HEADINGS.len() as u64);
            if !views.is_empty() {
                let views = views.into_iter();
                miniatures.push(DraftMiniature {
                    id: team.to_owned(),
                    means: team.to_owned(),
                    // it stands within a square
                    length_mm: owner.ship_mm.unwrap_or(0.8 * board.square_mm),
                    views: views
                        .map(|(heading_deg, picture)| DraftView {
                            heading_deg,
                            picture,
                        })
                        .collect(),
                });
            }
        }
        Ok(miniatures)
    }

    fn tokens(&mut self) -> anyhow::Result<Vec<DraftToken>> {
        let owner = self.owner;
        let mut kinds: Vec<String> = owner.tokens.keys().cloned().collect();
        // and what was photographed without a word in owner.json
        let backs: Vec<String> = owner
            .tokens
            .iter()
            .flat_map(|(name, t)| t.back.keys().map(move |side| format!("{name}_{side}")))
            .collect();
        for name in self.pictures.names() {
            let kind = token_of(&name).map(str::to_owned);
            kinds.extend(kind.filter(|k| !owner.tokens.contains_key(k) && !backs.contains(k)));
        }
        let mut tokens = Vec::new();
        for name in kinds {
            let token = owner.token(&name);
            let kind = name.replace('_', "-");
            let front = photograph_of_token(&name, None);
            let shows = owner.token_means(&name);
            let mut wanted = vec![(front, "up".to_owned(), shows, format!("tokens/{kind}"))];
            for (side, means) in &token.back {
                let (photograph, to) = (
                    photograph_of_token(&name, Some(side)),
                    format!("tokens/{kind}-{side}"),
                );
                wanted.push((photograph, side.clone(), means.clone(), to));
            }
            let mut sides = Vec::new();
            for (photograph, side, means, to) in wanted {
                let how = How::Piece(Some(token.outline));
                let picture = self.pictures.take(&photograph, &to, how)?;
                self.bar.inc(1);
                sides.extend(picture.map(|picture| DraftSide {
                    side,
                    means: Some(means),
                    pictures: vec![picture],
                }));
            }
            if !sides.is_empty() {
                tokens.push(DraftToken {
                    kind,
                    outline: token.outline,
                    size_mm: token.size_mm,
                    sides,
                });
            }
        }
        Ok(tokens)
    }
}

/// Crystal and start squares. The layout counts rows from the top; everything else here counts from the
/// bottom: they are flipped once, here.
fn marks(board: &OwnerBoard) -> Vec<DraftMark> {
    let flipped = |[x, y]: [u32; 2]| [x, board.rows.saturating_sub(1).saturating_sub(y)];
    let crystals = board.crystal_squares.iter().map(|(n, at)| DraftMark {
        square: flipped(*at),
        means: format!("crystal-{n}"),
        facing: None,
    });
    let starts = board.start_squares.iter().map(|(team, s)| DraftMark {
        square: flipped(s.square),
        means: format!("start-{team}"),
        facing: s.heading.clone(),
    });
    crystals.chain(starts).collect()
}
