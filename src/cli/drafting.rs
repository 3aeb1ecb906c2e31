//! What an owner told and what photographs show, put together as a copy.

use super::pictures::Pictures;
use crate::{
    copy::{
        BOARD, Draft, DraftDie, DraftFace, DraftGrid, DraftMark, DraftMiniature, DraftSide,
        DraftSurface, DraftToken, DraftView, DraftZone, NearFrom, Owner, OwnerBoard, Shape,
    },
    session::{How, photograph_of_token, photographs_of_face, token_of, zone_means},
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
                faces: self.faces(kind, symbols, shape == Shape::D6.name())?,
                shape,
            });
        }
        Ok(dice)
    }

    fn faces(
        &mut self,
        kind: &str,
        symbols: &[String],
        known_shape: bool,
    ) -> anyhow::Result<Vec<DraftFace>> {
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
            let pictures = self.pictures.faces(&numbered, &to, known_shape)?;
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
                let Some(size_mm) = owner.card_mm.of(station) else {
                    continue;
                };
                let id = format!("{team}.{station}");
                let reference = self.pictures.take(
                    &format!("display_{team}_{station}"),
                    &format!("displays/{team}-{station}"),
                    How::Surface(size_mm, owner.card_thickness_mm),
                )?;
                self.bar.inc(1);
                let number = owner.station_number.get(station);
                displays.push(DraftSurface {
                    id: id.clone(),
                    means: id,
                    size_mm,
                    thickness_mm: owner.card_thickness_mm,
                    powered_by: number.copied().into_iter().collect(),
                    reference,
                    grid: None,
                    zones: zones.iter().map(|(z, p)| zone(z, p)).collect(),
                });
            }
        }
        Ok(displays)
    }

    fn board(&mut self) -> anyhow::Result<Option<DraftSurface>> {
        let Some(board) = &self.owner.board else {
            return Ok(None);
        };
        let size_mm = [board.width_mm, board.height_mm];
        let how = How::Surface(size_mm, board.thickness_mm);
        let reference = self.pictures.take("board", "boards/board", how)?;
        self.bar.inc(1);
        Ok(Some(DraftSurface {
            id: "board".to_owned(),
            means: "board".to_owned(),
            size_mm,
            thickness_mm: board.thickness_mm,
            powered_by: Vec::new(),
            reference,
            grid: Some(DraftGrid {
                origin_mm: board.grid_origin_mm,
                square_mm: board.square_mm,
                columns: board.cols,
                rows: board.rows,
                marked: marks(board),
            }),
            zones: board.zones.iter().map(|(z, p)| zone(z, p)).collect(),
        }))
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

fn zone(name: &str, polygon: &[[f64; 2]]) -> DraftZone {
    let means = zone_means(name);
    DraftZone {
        zone: name.to_owned(),
        means: (means != name).then_some(means),
        polygon_mm: polygon.to_vec(),
        takes: Vec::new(),
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

/// The field of `owner.json` that a field of the copy comes from (`dice[2].faces[0].means`, as the draft has it).
pub(super) fn owner_field<'a>(
    owner: &'a Owner,
    draft: &'a Draft,
    of_copy: &'a str,
) -> Vec<&'a str> {
    let steps: Vec<&str> = of_copy
        .split(['.', '[', ']'])
        .filter(|s| !s.is_empty())
        .collect();
    let place = |i: usize| steps.get(i).and_then(|s| s.parse::<usize>().ok());
    let step = |i: usize| steps.get(i).copied().unwrap_or_default();
    let field = match step(0) {
        "dice" => place(1).and_then(|i| draft.dice.get(i)).map(|die| {
            let kind = die.kind.as_str();
            let face = place(3)
                .and_then(|j| die.faces.get(j))
                .map(|f| f.face.as_str());
            match (step(2), face) {
                ("size_mm", _) => vec!["die_mm", kind],
                ("shape", _) => vec!["shapes", kind],
                ("read", _) => vec!["reads", kind],
                ("each", _) => vec!["dice_per_team", kind],
                ("means", _) if owner.kinds.contains_key(kind) => vec!["kinds", kind],
                (_, Some(face))
                    if owner
                        .symbols
                        .get(kind)
                        .is_some_and(|s| s.contains_key(face)) =>
                {
                    vec!["symbols", kind, face]
                }
                (_, Some(face)) => vec!["faces", kind, face],
                _ => vec!["faces", kind],
            }
        }),
        "displays" => place(1).and_then(|i| draft.displays.get(i)).map(|surface| {
            let station = surface
                .id
                .split_once('.')
                .map_or("", |(_, station)| station);
            match step(2) {
                "size_mm" => vec!["card_mm", station],
                "thickness_mm" => vec!["card_thickness_mm"],
                "powered_by" => vec!["station_number", station],
                "zones" => {
                    let zone = place(3).and_then(|j| surface.zones.get(j));
                    ["displays", station]
                        .into_iter()
                        .chain(zone.map(|z| z.zone.as_str()))
                        .collect()
                }
                _ => vec!["displays", station],
            }
        }),
        "boards" => draft
            .boards
            .first()
            .map(|surface| match (step(2), step(3)) {
                ("size_mm", _) => vec![BOARD, "width_mm"],
                ("thickness_mm", _) => vec![BOARD, "thickness_mm"],
                ("grid", "origin_mm") => vec![BOARD, "grid_origin_mm"],
                ("grid", "square_mm") => vec![BOARD, "square_mm"],
                ("grid", "columns") => vec![BOARD, "cols"],
                ("grid", "rows") => vec![BOARD, "rows"],
                ("grid", _) => {
                    let marked = surface.grid.as_ref().and_then(|g| g.marked.get(place(4)?));
                    let of = marked.and_then(|m| m.means.split_once('-'));
                    match of {
                        Some(("crystal", number)) => vec![BOARD, "crystal_squares", number],
                        Some(("start", team)) => vec![BOARD, "start_squares", team],
                        _ => vec![BOARD],
                    }
                }
                ("zones", _) => {
                    let zone = place(3).and_then(|j| surface.zones.get(j));
                    [BOARD, "zones"]
                        .into_iter()
                        .chain(zone.map(|z| z.zone.as_str()))
                        .collect()
                }
                _ => vec![BOARD],
            }),
        "game" => Some(vec!["game"]),
        "miniatures" => Some(vec!["ship_mm"]),
        "tokens" => place(1).and_then(|i| draft.tokens.get(i)).map(|token| {
            let mut names = owner.tokens.keys();
            let name = names.find(|n| n.replace('_', "-") == token.kind);
            let name = name.map_or(token.kind.as_str(), String::as_str);
            let side = place(3)
                .and_then(|j| token.sides.get(j))
                .map(|s| s.side.as_str());
            match (step(2), side) {
                ("size_mm", _) => vec!["tokens", name, "size_mm"],
                ("outline", _) => vec!["tokens", name, "outline"],
                (_, Some("up")) => vec!["tokens", name, "means"],
                (_, Some(side)) => vec!["tokens", name, "back", side],
                _ => vec!["tokens", name],
            }
        }),
        "rules" => Some(steps.clone()),
        _ => None,
    };
    field.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{cli::pictures::Promised, copy::Photographs};

    #[test]
    fn what_is_wrong_with_a_copy_is_wrong_in_its_owners_words() {
        let text = r#"{"die_mm": {"zap": 16}, "card_mm": [150, 110],
            "faces": {"zap": ["a", "b"]}, "symbols": {"zap": {"b": "NOSE"}}, "kinds": {"zap": "weapon"},
            "displays": {"helm": {"A": [[1, 2], [3, 2], [3, 4]]}},
            "board": {"cols": 3, "rows": 2, "square_mm": 40, "width_mm": 200, "height_mm": 100, "grid_origin_mm": [0, 0],
                      "crystal_squares": {"1": [0, 0]}, "start_squares": {"black": {"square": [2, 1]}}},
            "tokens": {"big_rock": {"size_mm": 40, "back": {"nebula": "nebula"}}}}"#;
        let (owner, _) = Owner::parse(text).expect("an owner");
        let mut promised = Promised::of(&owner, &Photographs::default()).expect("pictures");
        let draft = Drafting {
            owner: &owner,
            pictures: &mut promised,
            bar: indicatif::ProgressBar::hidden(),
        };
        let draft = draft.draft("copy".to_owned()).expect("a draft");
        let field = |of_copy: &str| owner_field(&owner, &draft, of_copy).join(".");
        for (of_copy, told) in [
            ("dice[0].size_mm", "die_mm.zap"),
            ("dice[0].faces[1].means", "symbols.zap.b"),
            ("dice[0].faces[0].pictures[0]", "faces.zap.a"),
            ("dice[0].means", "kinds.zap"),
            ("displays[0].zones[0].polygon_mm[2][1]", "displays.helm.A"),
            ("displays[1].size_mm", "card_mm.helm"),
            ("boards[0].grid.origin_mm[0]", "board.grid_origin_mm"),
            ("boards[0].grid.marked[0].square", "board.crystal_squares.1"),
            (
                "boards[0].grid.marked[1].facing",
                "board.start_squares.black",
            ),
            ("tokens[0].sides[0].means", "tokens.big_rock.means"),
            ("tokens[0].sides[1].means", "tokens.big_rock.back.nebula"),
            ("rules.numbers.hull", "rules.numbers.hull"),
            ("game", "game"),
            ("name", ""),
        ] {
            assert_eq!(field(of_copy), told, "{of_copy}");
        }
    }
}
