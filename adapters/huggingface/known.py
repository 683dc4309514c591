"""Well-known models of each kind, for the time before the Hub was first asked."""

from collections.abc import Iterable, Sequence

from pipeline.domain import Model, Place

_EN, _MANY = ("en",), ("en", "de", "fr", "es", "zh", "ja")
_BOTH, _LOCAL = (Place.HOSTED, Place.LOCAL), (Place.LOCAL,)

_Row = tuple[str, str, tuple[Place, ...], str, tuple[str, ...], str]

# Hosted are those that the Hub's own inference serves; other providers need the live catalogue.
# fmt: off
_ROWS: tuple[_Row, ...] = (  # kind, id, places, licence, languages, description
    ("text-classification", "distilbert/distilbert-base-uncased-finetuned-sst-2-english", _BOTH, "apache-2.0", _EN, "positive or negative, short English texts"),
    ("text-classification", "cardiffnlp/twitter-xlm-roberta-base-sentiment", _BOTH, "", _MANY, "sentiment of short messages in many languages"),
    ("token-classification", "dslim/bert-base-NER", _BOTH, "mit", _EN, "persons, places, organisations in English news"),
    ("token-classification", "Davlan/xlm-roberta-base-ner-hrl", _BOTH, "afl-3.0", _MANY, "persons, places, organisations in ten languages"),
    ("text2text-generation", "google/flan-t5-large", _LOCAL, "apache-2.0", _EN, "follows short instructions on a text"),
    ("summarization", "facebook/bart-large-cnn", _BOTH, "mit", _EN, "summaries of English news articles"),
    ("summarization", "csebuetnlp/mT5_multilingual_XLSum", _LOCAL, "cc-by-nc-sa-4.0", _MANY, "one-sentence summaries in 45 languages"),
    ("translation", "facebook/nllb-200-distilled-600M", _LOCAL, "cc-by-nc-4.0", _MANY, "translates between 200 languages"),
    ("translation", "google-t5/t5-small", _BOTH, "apache-2.0", ("en", "de", "fr", "ro"), "small; English to German, French, Romanian"),
    ("question-answering", "deepset/roberta-base-squad2", _BOTH, "cc-by-4.0", _EN, "finds the answer in a given English text"),
    ("conversational", "meta-llama/Llama-3.1-8B-Instruct", _LOCAL, "llama3.1", _MANY, "talks and follows instructions"),
    ("text-generation", "Qwen/Qwen2.5-7B-Instruct", _LOCAL, "apache-2.0", _MANY, "writes texts as instructed"),
    ("text-generation", "openai-community/gpt2", _LOCAL, "mit", _EN, "small; goes on writing an English text"),
    ("fill-mask", "google-bert/bert-base-uncased", _BOTH, "apache-2.0", _EN, "words that fit [MASK] in English"),
    ("feature-extraction", "sentence-transformers/all-MiniLM-L6-v2", _BOTH, "apache-2.0", _EN, "small sentence embeddings"),
    ("sentence-similarity", "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2", _LOCAL, "apache-2.0", _MANY, "how alike sentences are in meaning"),
    ("zero-shot-classification", "facebook/bart-large-mnli", _BOTH, "mit", _EN, "which of any given labels fits an English text"),
    ("zero-shot-classification", "MoritzLaurer/mDeBERTa-v3-base-mnli-xnli", _LOCAL, "mit", _MANY, "which of any given labels fits, many languages"),
    ("table-question-answering", "google/tapas-base-finetuned-wtq", _BOTH, "apache-2.0", _EN, "looks answers up in small tables"),
    ("image-to-text", "Salesforce/blip-image-captioning-large", _LOCAL, "bsd-3-clause", _EN, "one-sentence captions of photos"),
    ("image-to-text", "nlpconnect/vit-gpt2-image-captioning", _LOCAL, "apache-2.0", _EN, "short captions of photos"),
    ("text-to-image", "black-forest-labs/FLUX.1-schnell", _BOTH, "apache-2.0", _EN, "good pictures in few steps"),
    ("text-to-image", "stabilityai/stable-diffusion-xl-base-1.0", _BOTH, "openrail++", _EN, "pictures of 1024 px from words"),
    ("visual-question-answering", "Salesforce/blip-vqa-base", _LOCAL, "bsd-3-clause", _EN, "short answers to questions on photos"),
    ("visual-question-answering", "dandelin/vilt-b32-finetuned-vqa", _LOCAL, "apache-2.0", _EN, "one-word answers to questions on photos"),
    ("image-classification", "google/vit-base-patch16-224", _BOTH, "apache-2.0", _EN, "a thousand everyday classes (ImageNet)"),
    ("image-classification", "microsoft/resnet-50", _BOTH, "apache-2.0", _EN, "small; a thousand everyday classes"),
    ("zero-shot-image-classification", "openai/clip-vit-large-patch14", _LOCAL, "mit", _EN, "which of any given labels fits a picture"),
    ("object-detection", "facebook/detr-resnet-50", _BOTH, "apache-2.0", _EN, "80 everyday things (COCO)"),
    ("object-detection", "hustvl/yolos-tiny", _LOCAL, "apache-2.0", _EN, "small; 80 everyday things"),
    ("zero-shot-object-detection", "google/owlv2-base-patch16-ensemble", _LOCAL, "apache-2.0", _EN, "finds whatever is named"),
    ("image-segmentation", "nvidia/segformer-b0-finetuned-ade-512-512", _BOTH, "other", _EN, "150 kinds of regions (ADE20K)"),
    ("image-segmentation", "facebook/detr-resnet-50-panoptic", _LOCAL, "apache-2.0", _EN, "things and backgrounds (COCO)"),
    ("mask-generation", "facebook/sam-vit-base", _LOCAL, "apache-2.0", (), "all regions of a picture, unnamed"),
    ("depth-estimation", "depth-anything/Depth-Anything-V2-Small-hf", _LOCAL, "apache-2.0", (), "relative depth of photos"),
    ("depth-estimation", "Intel/dpt-large", _LOCAL, "apache-2.0", (), "relative depth of photos"),
    ("image-to-image", "timbrooks/instruct-pix2pix", _LOCAL, "mit", _EN, "restyles a picture as told"),
    ("image-text-to-image", "black-forest-labs/FLUX.1-Kontext-dev", _LOCAL, "flux-1-dev-non-commercial-license", _EN, "changes things in a picture as told"),
    ("image-text-to-image", "stable-diffusion-v1-5/stable-diffusion-inpainting", _LOCAL, "creativeml-openrail-m", _EN, "paints something else in the place of a thing"),
    ("image-text-to-image", "Qwen/Qwen-Image-Edit", _LOCAL, "apache-2.0", ("en", "zh"), "changes things and words in a picture as told"),
    ("optical-character-recognition", "microsoft/trocr-base-printed", _LOCAL, "mit", _EN, "one line of printed English text"),
    ("document-question-answering", "impira/layoutlm-document-qa", _LOCAL, "cc-by-nc-sa-4.0", _EN, "answers from pictures of documents"),
    ("document-question-answering", "naver-clova-ix/donut-base-finetuned-docvqa", _LOCAL, "mit", _EN, "answers from pictures of documents, without OCR"),
    ("automatic-speech-recognition", "openai/whisper-large-v3", _BOTH, "apache-2.0", _MANY, "writes down speech in 99 languages"),
    ("automatic-speech-recognition", "facebook/wav2vec2-base-960h", _LOCAL, "apache-2.0", _EN, "small; writes down read English"),
    ("text-to-speech", "hexgrad/Kokoro-82M", _LOCAL, "apache-2.0", _MANY, "natural voices, small"),
    ("text-to-speech", "facebook/mms-tts-eng", _LOCAL, "cc-by-nc-4.0", _EN, "a plain English voice"),
    ("audio-classification", "MIT/ast-finetuned-audioset-10-10-0.4593", _LOCAL, "bsd-3-clause", _EN, "527 kinds of sounds"),
    ("audio-classification", "superb/hubert-large-superb-er", _LOCAL, "apache-2.0", _EN, "emotions in English speech"),
    ("audio-to-audio", "microsoft/speecht5_vc", _LOCAL, "mit", _EN, "the same words in another voice"),
    ("audio-to-audio", "speechbrain/sepformer-wham", _LOCAL, "apache-2.0", _EN, "separates voices and noise"),
    ("text-to-video", "Wan-AI/Wan2.1-T2V-1.3B-Diffusers", _LOCAL, "apache-2.0", ("en", "zh"), "short films from words"),
    ("image-to-video", "stabilityai/stable-video-diffusion-img2vid-xt", _LOCAL, "other", (), "four seconds of film from a picture"),
    ("image-to-video", "Wan-AI/Wan2.2-I2V-A14B", _LOCAL, "apache-2.0", ("en", "zh"), "short films from a picture and words"),
    ("video-classification", "MCG-NJU/videomae-base-finetuned-kinetics", _LOCAL, "cc-by-nc-4.0", _EN, "400 human actions"),
    ("hed-control", "lllyasviel/Annotators", _LOCAL, "", (), "soft edges for ControlNet (HED)"),
    ("normal-control", "Intel/dpt-hybrid-midas", _LOCAL, "apache-2.0", (), "surface normals by way of depth"),
    ("openpose-control", "usyd-community/vitpose-base-simple", _LOCAL, "apache-2.0", (), "body pose as a stick figure"),
    ("depth-control", "LiheYoung/depth-anything-small-hf", _LOCAL, "apache-2.0", (), "depth as a grey picture for ControlNet"),
    ("seg-control", "openmmlab/upernet-convnext-small", _LOCAL, "mit", (), "coloured segments for ControlNet"),
    *(
        (f"{name}-text-to-image", f"lllyasviel/sd-controlnet-{name}", _LOCAL, "openrail", _EN, f"pictures from words, guided by {what}")
        for name, what in (
            ("canny", "edges"), ("hed", "soft edges"), ("mlsd", "straight lines"), ("normal", "surface normals"),
            ("openpose", "a body pose"), ("scribble", "a scribble"), ("depth", "depth"), ("seg", "coloured segments"),
        )
    ),
)
# fmt: on


def known_models(places: Iterable[Place]) -> Sequence[Model]:
    """Those of the list that can run at one of the places, which are kept in their order."""
    wanted = tuple(places)
    return tuple(
        Model(
            id=id_,
            kind=kind,
            places=tuple(place for place in wanted if place in can),
            description=description,
            licence=licence,
            languages=languages,
            providers=(f"hf-inference:{id_}",) if Place.HOSTED in set(can) & set(wanted) else (),
        )
        for kind, id_, can, licence, languages, description in _ROWS
        if set(can) & set(wanted)
    )
