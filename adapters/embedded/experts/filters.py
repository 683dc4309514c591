"""Picture filters, found by the words of an instruction in several languages (OpenCV and Pillow)."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from adapters.embedded.experts.finding import Args, Finding, file, words
from adapters.embedded.experts.pictures import from_array, opened
from pipeline.domain import Sentence, Type
from pipeline.errors import ExpertRefused

_MOST_UPSCALED = 1600
_AND = re.compile(
    r"\b(?:and|then|plus|und|dann|et|puis|y|luego)\b|[,;&+、，]|和|并|再|然后|て|そして"
)
Filter = Callable[[Any], Any]
"""From an array of blue, green, red to another, or to one of greys."""


def restyle(args: Args, _language: str) -> Finding:
    """A picture after one filter or several, in the order in which they are asked for. Raises ExpertRefused for what is none."""
    import numpy as np

    blob = file(args, "image", Type.IMAGE)
    asked = chosen(words(args, "text"))
    if not asked:
        raise ExpertRefused("embedded-no-filter", filters=", ".join(names()))
    pixels: Any = np.ascontiguousarray(np.asarray(opened(blob))[:, :, ::-1])
    for _, filtered in asked:
        pixels = filtered(_coloured(pixels))
    applied = ", ".join(name for name, _ in asked)
    picture = from_array(pixels, blob, applied)
    return Finding({"image": picture}, (Sentence("embedded-filtered", {"filters": applied}),))


def chosen(instruction: str) -> list[tuple[str, Filter]]:
    """The filters that an instruction names, in its order."""
    said = instruction.casefold()
    hits = []
    for place, (name, pattern, filtered) in enumerate(_FILTERS):
        if hit := re.search(pattern, said):
            hits.append((hit.start(), -hit.end(), place, name, filtered))
    kept: list[tuple[str, Filter]] = []
    end = 0
    for start, back, _, name, filtered in sorted(hits, key=lambda hit: hit[:3]):
        if not kept or (start >= end and _AND.search(said[end:start])):
            kept.append((name, filtered))
            end = -back
    return kept


def names() -> list[str]:
    return [name for name, _, _ in _FILTERS]


def _coloured(pixels: Any) -> Any:  # noqa: ANN401 - numpy arrays from here on
    import cv2

    return cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR) if pixels.ndim == 2 else pixels  # noqa: PLR2004


def _sketch(pixels: Any) -> Any:  # noqa: ANN401
    import cv2

    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    blur = cv2.GaussianBlur(255 - grey, (0, 0), max(pixels.shape[:2]) / 90)
    return cv2.divide(grey, 255 - blur, scale=250)


def _coloured_sketch(pixels: Any) -> Any:  # noqa: ANN401
    import cv2

    return cv2.pencilSketch(pixels, sigma_s=60, sigma_r=0.07, shade_factor=0.05)[1]


def _painted(pixels: Any) -> Any:  # noqa: ANN401
    import cv2

    return cv2.stylization(pixels, sigma_s=60, sigma_r=0.45)


def _cartoon(pixels: Any) -> Any:  # noqa: ANN401
    import cv2
    import numpy as np

    smooth = cv2.edgePreservingFilter(pixels, flags=1, sigma_s=40, sigma_r=0.35)
    flat = (smooth // 32 * 32 + 16).astype(np.uint8)
    grey = cv2.medianBlur(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), 5)
    ink = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 11, 6)
    return cv2.bitwise_and(flat, cv2.cvtColor(ink, cv2.COLOR_GRAY2BGR))


def _smooth(pixels: Any) -> Any:  # noqa: ANN401
    import cv2

    return cv2.edgePreservingFilter(pixels, flags=1, sigma_s=60, sigma_r=0.4)


def _grey(pixels: Any) -> Any:  # noqa: ANN401
    import cv2

    return cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)


def _sepia(pixels: Any) -> Any:  # noqa: ANN401
    import cv2
    import numpy as np

    tones = np.array([[0.131, 0.534, 0.272], [0.168, 0.686, 0.349], [0.189, 0.769, 0.393]])
    return np.clip(cv2.transform(pixels, tones), 0, 255).astype(np.uint8)


def _blur(pixels: Any) -> Any:  # noqa: ANN401
    import cv2

    return cv2.GaussianBlur(pixels, (0, 0), max(pixels.shape[:2]) / 120)


def _sharp(pixels: Any) -> Any:  # noqa: ANN401
    import cv2

    return cv2.addWeighted(pixels, 1.8, cv2.GaussianBlur(pixels, (0, 0), 2), -0.8, 0)


def _negative(pixels: Any) -> Any:  # noqa: ANN401
    return 255 - pixels


def _upscaled(pixels: Any) -> Any:  # noqa: ANN401
    """Twice the size; a picture that is large already is refused, since no detail would be won."""
    import cv2

    height, width = pixels.shape[:2]
    if max(height, width) > _MOST_UPSCALED:
        raise ExpertRefused("embedded-large-already", side=str(_MOST_UPSCALED))
    return cv2.resize(pixels, (2 * width, 2 * height), interpolation=cv2.INTER_LANCZOS4)


def _denoised(pixels: Any) -> Any:  # noqa: ANN401
    import cv2

    return cv2.fastNlMeansDenoisingColored(pixels, None, 6, 6, 7, 15)


def _bright(pixels: Any) -> Any:  # noqa: ANN401
    import cv2

    return cv2.convertScaleAbs(pixels, alpha=1.1, beta=28)


def _dark(pixels: Any) -> Any:  # noqa: ANN401
    import cv2

    return cv2.convertScaleAbs(pixels, alpha=0.75, beta=0)


def _contrast(pixels: Any) -> Any:  # noqa: ANN401
    import cv2

    light, *colour = cv2.split(cv2.cvtColor(pixels, cv2.COLOR_BGR2LAB))
    light = cv2.createCLAHE(clipLimit=2.5, tileGridSize=(8, 8)).apply(light)
    return cv2.cvtColor(cv2.merge([light, *colour]), cv2.COLOR_LAB2BGR)


# fmt: off - one row, one line; what stands earlier wins where two begin at the same place and are equally long
_FILTERS: Sequence[tuple[str, str, Filter]] = (
    (
        "colour pencil sketch",
        r"colou?r(?:ed)? (?:pencil|sketch|crayon)[\w ]*|buntstift\w*|crayons? de couleur|lápi[cz](?:es)? de colores|彩色铅笔\w*|色鉛筆\w*",
        _coloured_sketch,
    ),
    (
        "pencil sketch",
        r"pencil[\w ]*?(?:sketch|drawing)|pencil|sketch|drawing|bleistift\w*|skizz\w*|zeichnung|croquis|crayon|dessin|boceto|lápiz|dibujo|素描|铅笔画?|草图|鉛筆(?:画|スケッチ)?|スケッチ",
        _sketch,
    ),
    (
        "cartoon",
        r"cartoon|comic|anime|toon|zeichentrick|dessin animé|bande dessinée|caricatur\w*|dibujos? animados?|漫画|卡通|アニメ|マンガ",
        _cartoon,
    ),
    (
        "painting",
        r"paint\w*|water ?colou?r|stylis\w*|styliz\w*|artistic|gemälde|gemalt|aquarell|stilisier\w*|peinture|aquarelle|pintura|acuarela|油画|水彩画?|绘画|絵画|水彩",
        _painted,
    ),
    (
        "black and white",
        r"black[ -]?(?:and|&|n)[ -]?white|\bb ?& ?w\b|gr[ea]y(?:scale)?|monochrom\w*|schwarz-?weiß|schwarz-?weiss|grau\w*|noir et blanc|niveaux de gris|blanco y negro|gris(?:es)?|黑白|灰度|白黒|モノクロ|グレー",
        _grey,
    ),
    ("sepia", r"sepia|sépia|vintage|old[ -]photo|nostalgi\w*|复古|怀旧|セピア", _sepia),
    (
        "denoise",
        r"de-?nois\w*|(?:remove|reduce|less)[\w ]* (?:noise|grain)|entrausch\w*|rauschen|débruit\w*|sans bruit|ruido|降噪|去噪|ノイズ\w*",
        _denoised,
    ),
    (
        "blur",
        r"blur\w*|out of focus|weichzeichn\w*|unscharf|verschwommen|flou\w*|desenfo\w*|borros\w*|模糊|ぼか\w*",
        _blur,
    ),
    (
        "sharpen",
        r"sharp\w*|crisp\w*|schärf\w*|scharf|net(?:te)?té|plus net|affûter|enfoc\w*|nítid\w*|锐化|清晰|シャープ|鮮明",
        _sharp,
    ),
    (
        "negative",
        r"invert\w*|negativ\w*|inverse\w*|umkehr\w*|invertier\w*|négatif|反色|反相|反转|ネガ|反転",
        _negative,
    ),
    (
        "upscale",
        r"up-?scal\w*|enlarg\w*|(?:2x|×2|x2|twice|double)(?: (?:the )?(?:size|resolution))?|higher resolution|hochskalier\w*|vergrößer\w*|agrandi\w*|ampl[ií]\w*|放大|超分辨率?|拡大|高解像度",
        _upscaled,
    ),
    (
        "smooth",
        r"smooth\w*|edge[ -]preserving|soft(?:en|er)?\b|glätt\w*|weicher|liss\w*|suaviz\w*|平滑|柔化|滑らか|なめらか",
        _smooth,
    ),
    (
        "brighter",
        r"bright\w*|lighter|lighten|heller|aufhell\w*|éclairci\w*|plus clair|aclar\w*|más claro|brillo|变亮|调亮|提亮|明る\w*",
        _bright,
    ),
    (
        "darker",
        r"dark(?:er|en)\b|dunkler|abdunkel\w*|assombri\w*|plus sombre|oscurec\w*|más oscuro|变暗|调暗|暗く\w*",
        _dark,
    ),
    ("more contrast", r"contrast\w*|kontrast\w*|contraste|对比度?|コントラスト", _contrast),
)
# fmt: on
