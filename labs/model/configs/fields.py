"""The fields of a model's config file: each checked, none guessed, and all that is wrong told at once."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from labs.model.quantities.errors import ModelError, shown
from labs.model.quantities.inputs import count

# Far beyond what was ever built, and few enough that every question about such a model is answered at once.
MOST, MOST_LAYERS, LONGEST = 2**24, 4096, 2**27


@dataclass(frozen=True, slots=True)
class Fields:
    """A config's values, and what was found wrong with them so far.

    Attributes:
        family: the config's model_type
        values: as in the file
        problems: one clause each
        conflicts: between fields; said only where each field alone is right
    """

    family: str
    values: Mapping[str, object]
    problems: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)

    def whole(
        self,
        *names: str,
        default: int | None = None,
        null: int | None = None,
        at_least: int = 1,
        at_most: int = MOST,
    ) -> int:
        """Return a whole number under the first of these names that is there; what is null is absent, if not `null`."""
        for name in names:
            value = self.values.get(name)
            if value is None:
                continue
            try:
                if isinstance(value, str):
                    raise ModelError(f"expected {name} to be a whole number, found {shown(value)}")
                return count(name, value, at_least=at_least, at_most=at_most)
            except ModelError as error:
                self.problems.append(error.message.removeprefix("expected "))
                return max(1, at_least)
        if null is not None and any(name in self.values for name in names):
            return null
        if default is None:
            self.problems.append(f"{' or '.join(names)}, found none")
            return 1
        return default

    def truth(self, name: str, *, default: bool) -> bool:
        """Return a truth value, or what the family's own code takes where the file has none."""
        value = self.values.get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            self.problems.append(f"{name} to be true or false, found {shown(value)}")
            return default
        return value

    def only(self, name: str, value: object, *, default: object) -> None:
        """Refuse a field whose value the model here cannot describe."""
        found = self.values.get(name)
        if (default if found is None else found) != value:
            self.problems.append(f"{name} to be {_json(value)}, found {_json(found)}")

    def refuse(self, problem: str) -> None:
        """Note fields that do not go together: what is expected, and what was found."""
        self.conflicts.append(problem)

    def check(self) -> None:
        """Raise if anything was wrong."""
        said = "; ".join(self.problems or self.conflicts)
        if said:
            raise ModelError(f"expected in a config.json of model_type {self.family} {said}", argument="config")


def _json(value: object) -> str:
    if isinstance(value, (bool, type(None))):
        return str(value).lower().replace("none", "null")
    return str(value) if isinstance(value, (int, float)) else shown(value)
