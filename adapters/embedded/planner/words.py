"""Words that arguments are found by, in the languages of the training requests."""

# ruff: noqa: RUF001, SIM905 - words of many scripts; nothing here is secret
import re
from collections.abc import Mapping

_LANGUAGES: Mapping[str, str] = {
    "en": "english englisch inglés ingles anglais inglese inglês engels английск 英文 英语 英語 영어 ingilizce",
    "de": "german deutsch alemán aleman allemand tedesco alemão duits немецк 德语 德文 ドイツ語 독일어 almanca",
    "es": "spanish spanisch español espanol castellano espagnol spagnolo espanhol spaans испанск 西班牙 スペイン語 스페인어 ispanyolca",
    "fr": "french französisch franzoesisch francés frances français francais francese francês frans французск 法语 法文 フランス語 프랑스어 fransızca",
    "zh": "chinese chinesisch chino chinois cinese chinês chinees mandarin китайск 中文 汉语 中国語 중국어 çince",
    "ja": "japanese japanisch japonés japones japonais giapponese japonês japans японск 日语 日文 日本語 일본어 japonca",
    "pt": "portuguese portugiesisch portugués portugais portoghese português portugees португальск 葡萄牙 ポルトガル語 포르투갈어 portekizce",
    "it": "italian italienisch italiano italien italiaans итальянск 意大利 イタリア語 이탈리아어 italyanca",
    "nl": "dutch niederländisch holländisch neerlandés holandés néerlandais olandese holandês nederlands голландск 荷兰 オランダ語 네덜란드어 hollandaca",
    "ru": "russian russisch ruso russe russo русск 俄语 俄文 ロシア語 러시아어 rusça",
    "ko": "korean koreanisch coreano coréen koreaans корейск 韩语 韩文 韓国語 한국어 korece",
    "tr": "turkish türkisch turco turc turks турецк 土耳其 トルコ語 터키어 türkçe",
    "pl": "polish polnisch polaco polonais polacco polonês pools польск 波兰 ポーランド語 폴란드어 lehçe",
    "ar": "arabic arabisch árabe arabe arabo арабск 阿拉伯 アラビア語 아랍어 arapça",
    "hi": "hindi 印地 ヒンディー語 힌디어",
    "uk": "ukrainian ukrainisch ucraniano ukrainien ucraino украинск 乌克兰 ウクライナ語 우크라이나어",
    "sv": "swedish schwedisch sueco suédois svedese zweeds шведск 瑞典 スウェーデン語 스웨덴어",
    "da": "danish dänisch danés danois danese deens датск",
    "no": "norwegian norwegisch noruego norvégien norvegese noors норвежск",
    "fi": "finnish finnisch finlandés finnois finlandese fins финск",
    "cs": "czech tschechisch checo tchèque ceco tsjechisch чешск",
    "el": "greek griechisch griego grec greco grieks греческ 希腊 ギリシャ語 그리스어",
    "he": "hebrew hebräisch hebreo hébreu ebraico иврит",
    "hu": "hungarian ungarisch húngaro hongrois ungherese венгерск",
    "ro": "romanian rumänisch rumano roumain rumeno румынск",
    "vi": "vietnamese vietnamesisch vietnamita vietnamien вьетнамск 越南 ベトナム語 베트남어",
    "th": "thai 泰语 タイ語 태국어",
    "la": "latin latein latín latino",
    "id": "indonesian indonesisch indonesio indonésien",
    "ca": "catalan katalanisch catalán català",
}
_SPELLED = tuple((name, code) for code, names in _LANGUAGES.items() for name in names.split())

ALL = [
    "all",
    "every",
    "each",
    "both",
    "alle",
    "jedes",
    "jede",
    "jeden",
    "beide",
    "beiden",
    "todas",
    "todos",
    "cada",
    "ambas",
    "ambos",
    "toutes",
    "tous",
    "chaque",
    "deux",
    "tutte",
    "tutti",
    "ogni",
    "entrambe",
    "ambas",
    "cada",
    "elke",
    "allebei",
    "все",
    "всех",
    "оба",
    "обе",
    "каждое",
    "每",
    "所有",
    "都",
    "全部",
    "それぞれ",
    "両方",
    "모두",
    "둘다",
    "hepsi",
    "ikisi",
    "her",
]
THANKS = [
    "thanks",
    "thank",
    "thx",
    "ty",
    "cheers",
    "danke",
    "dank",
    "gracias",
    "merci",
    "obrigado",
    "obrigada",
    "valeu",
    "grazie",
    "bedankt",
    "dankjewel",
    "спасибо",
    "谢谢",
    "多谢",
    "ありがとう",
    "感謝",
    "고마워",
    "감사합니다",
    "teşekkürler",
    "sağ",
]
THANKS_SIGNS = frozenset("🙏👍👏❤💙💚💛🧡💜😊🙂😀😃😄👌💯🎉")
GREETING_SIGNS = frozenset("👋🤗")
GREETINGS = [
    "hi",
    "hello",
    "hey",
    "hiya",
    "yo",
    "morning",
    "evening",
    "afternoon",
    "hallo",
    "hoi",
    "moin",
    "servus",
    "guten",
    "hola",
    "buenos",
    "buenas",
    "bonjour",
    "bonsoir",
    "salut",
    "coucou",
    "ciao",
    "salve",
    "buongiorno",
    "olá",
    "oi",
    "goedemorgen",
    "привет",
    "здравствуйте",
    "доброе",
    "你好",
    "您好",
    "早上好",
    "嗨",
    "こんにちは",
    "おはよう",
    "こんばんは",
    "안녕",
    "merhaba",
    "selam",
    "günaydın",
]
SOUND_WORDS = (
    "louder quieter volume loud quiet mp3 wav ogg flac m4a song recording audio sound ringtone lauter leiser lautstärke "
    "aufnahme ton lied volumen alto canción fort moins son volume chanson forte suono volume harder громче тише звук "
    "大声 音量 声音 音楽 大きく 볼륨 소리 yüksek ses"
).split()
FILM_WORDS = (
    "video clip film movie mp4 gif seconds sekunden segundos secondes secondi seconden секунд 秒 视频 動画 영상 초 saniye"
).split()
POINTS = (
    "it this that das dies daraus darüber davon damit ça cela ceci eso esto ello questo isso isto dit dat hiervan "
    "это этом этого 这个 它 これ それ 이거 이것 그것 bunu bundan"
).split()
"""Words for what was just spoken of."""
_IDLE = frozenset(
    # English, German
    "a an the it this that these those one do does make go ahead on please pls plz can could would will you u your i me my us we "
    "some something anything thing things stuff magic just now then here there with about for to know what "
    "take care of handle process work mach machs mache macht tu tue tut leg los bitte mal schon doch halt einfach das "
    "die der den dem dies diese dieses diesem es was ihn draus daraus damit davon kannst könntest kann du ihr ich mir mich uns dein "
    "deine ding dings sache etwas irgendwas irgendetwas dann nun jetzt für mit hier da bearbeite bearbeiten verarbeite "
    # French, Spanish
    "fais fait faites faire le la les l un une truc chose machin quelque quelques ça ca cela ceci ce cette vas va allez y s il te "
    "vous plaît plait stp svp tu peux pouvez pourrais pourriez avec de du moi nous pour ton ta tes ici haz haga hagan hacer hazlo "
    "hazla hágalo algo alguna cosa lo tuyo por favor porfa porfis dale anda venga puedes puede podrías esto eso este esta ese esa con "
    "el los las él ella en mí mi tu ya ahí ahora "
    # Italian, Portuguese, Dutch
    "fai fallo fa qualcosa questo questa per favore puoi potresti dai faz faça isso isto algo pode podes doe doen het iets dit dat "
    "alsjeblieft aub kun kan je".split()
)
_IDLE_PARTS = re.compile(
    "帮个忙|帮忙|帮我|帮|搞定|搞|弄|做|处理|点什么|什么|随便|一下|给我|我|你|您|请|麻烦|它|这个|那个|这|那|来吧|来|吧|呗|的|把|点"
    "|よろしく|お願いします|お願い|おねがい|頼みます|頼む|やってください|やって|やる|してください|して|する|ください|下さい|なんか|なにか"
    "|何か|適当|とりあえず|いい感じ|それ|これ|あれ|どうぞ|[をでにのはねよ]"
)
"""Words that say that something is to be done, but not what."""
_UNREAD = re.compile(r"[\u0370-\u03ff\u0530-\u10ff\u1200-\u1dff]")
"""Letters of scripts in which nothing was learnt."""
_NAME = 3
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def says(text: str, words: list[str]) -> bool:
    """Whether one of the words stands in a text; words of scripts without spaces anywhere, others as whole words."""
    low = text.lower()
    spaced = set(re.findall(r"[^\W_]+", low))
    return any(word in low if _CJK.search(word) else word in spaced for word in words)


def idle(text: str) -> bool:
    """Whether a text asks for something without saying what."""
    words = re.findall(r"[^\W_]+(?:['’]s\b)?", text.lower())
    return bool(words) and all(word.isdigit() or is_idle(word) for word in words)


def is_idle(word: str) -> bool:
    """Whether a word says nothing of what is to be done."""
    return word in _IDLE or not _IDLE_PARTS.sub("", word)


def unread(text: str) -> bool:
    """Whether a text is in a script in which nothing was learnt, but for a name or so."""
    letters = len(_UNREAD.findall(text))
    return letters > 0 and sum(map(str.isalpha, text)) - letters <= _NAME


def language_in(text: str) -> str:
    """The code of the last language a text names, or ""."""
    return _named(text)[1]


def language_word(text: str) -> str:
    """The word by which a text names a language, or ""."""
    at, _, name = _named(text)
    if at < 0 or _CJK.search(name):
        return text[at : at + len(name)] if at >= 0 else ""
    match = re.compile(r"\w+").match(text, at)
    return match[0] if match else ""


def _named(text: str) -> tuple[int, str, str]:
    """Where a text names its last language, with the code and the name."""
    low = text.lower().replace("\u0307", "")
    best, code, word = -1, "", ""
    for name, known in _SPELLED:
        at = low.rfind(name)
        if at > best and (at == 0 or _CJK.search(name) or not low[at - 1].isalpha()):
            best, code, word = at, known, name
    return best, code, word


def wants_all(text: str) -> bool:
    """Whether a text speaks of all, each or both."""
    return says(text, ALL)
