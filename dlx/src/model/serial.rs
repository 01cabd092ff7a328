//! Problems and ids for `serde` (feature `serde`). A problem is a record of items, colors, options
//! and costs; reading validates it like [`ProblemBuilder`].

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Color, Entry, ItemId, Problem, ProblemBuilder};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProblemRecord {
    items: Vec<ItemRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    colors: Vec<String>,
    /// The entries of each option: an item, and an index in `colors`, if any.
    options: Vec<Vec<(ItemId, Option<usize>)>>,
    /// One number per option, or none at all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    costs: Vec<u64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ItemRecord {
    name: String,
    /// How often the item is covered, from the first number to the second; absent for a secondary
    /// item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bounds: Option<(u32, u32)>,
}

impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let items = self.items().map(|item| ItemRecord {
            name: self.item_name(item).to_owned(),
            bounds: self.bounds(item).map(|bounds| (bounds.low, bounds.high)),
        });
        let items = items.collect();
        let entry = |entry: &Entry| (entry.item, entry.color.map(Color::index));
        let options =
            self.options().map(|option| self.option(option).iter().map(entry).collect()).collect();
        let costs = self.options().filter(|_| self.has_costs()).map(|option| self.cost(option));
        let costs = costs.collect();
        let colors = (0..self.color_count()).map(|color| self.color_name(Color::new(color)).to_owned());
        let colors = colors.collect();
        ProblemRecord { items, colors, options, costs }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Problem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let ProblemRecord { items, colors, options, costs } = Deserialize::deserialize(deserializer)?;
        if !costs.is_empty() && costs.len() != options.len() {
            let (costs, options) = (costs.len(), options.len());
            return Err(D::Error::custom(format!("expected {options} costs, found {costs}")));
        }
        let mut builder = ProblemBuilder::new();
        for ItemRecord { name, bounds } in items {
            let added = match bounds {
                Some((low, high)) => builder.bounded(&name, low, high),
                None => builder.secondary(&name),
            };
            added.map_err(D::Error::custom)?;
        }
        let colors = colors.iter().map(|name| builder.color(name)).collect::<Result<Vec<_>, _>>();
        let colors = colors.map_err(D::Error::custom)?;
        for (number, entries) in options.into_iter().enumerate() {
            let entry = |(item, color): (ItemId, Option<usize>)| match color {
                None => Ok(Entry::from(item)),
                Some(color) => match colors.get(color) {
                    Some(&color) => Ok(item.with(color)),
                    None => Err(D::Error::custom(format!("color {color} is not listed"))),
                },
            };
            let entries = entries.into_iter().map(entry).collect::<Result<Vec<_>, _>>()?;
            let cost = costs.get(number).copied().unwrap_or(0);
            builder.option_with_cost(entries, cost).map_err(D::Error::custom)?;
        }
        Ok(builder.build())
    }
}
