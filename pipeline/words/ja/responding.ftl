# The answer that is written without a language model.
respond-label = 最も可能性が高いのは{ $label }です。
respond-also = 可能性が低いもの：{ $labels }。
respond-alike = 類似度は { $percent }% です。
respond-source = **{ $value }**（{ $source }）
respond-things = 見つかったもの：{ $things }。
respond-found-nothing = 何も見つかりませんでした。
respond-made-image =
    { $count ->
        [1] 画像ができました。
       *[other] 画像が { $count } 枚できました。
    }
respond-made-audio =
    { $count ->
        [1] 音声ができました。
       *[other] 音声が { $count } 件できました。
    }
respond-made-video =
    { $count ->
        [1] 動画ができました。
       *[other] 動画が { $count } 本できました。
    }
respond-made-document =
    { $count ->
        [1] 文書ができました。
       *[other] 文書が { $count } 件できました。
    }
respond-made-table =
    { $count ->
        [1] 表ができました。
       *[other] 表が { $count } 件できました。
    }
respond-which = { $kind }（{ $what }）
respond-failed = 「{ $kind }」はうまくいきませんでした：{ $reason }
respond-none = { $kind }：{ $reason }
respond-skipped = 必要なステップ「{ $because }」がうまくいかなかったため、「{ $kind }」は実行しませんでした。
respond-stopped = 「{ $kind }」を停止しました。
respond-unused = { $model } が対応していないため、省きました：{ $names }
listed = { $names }、{ $name }
respond-nothing = うまくいきませんでした。
compared-first = **A** · { $model }（前回）
compared-second = **B** · { $model }（今回）
label-per = 人名
label-person = 人名
label-org = 組織
label-organization = 組織
label-loc = 場所
label-gpe = 場所
label-location = 場所
label-misc = 名前
# What was changed in an answer.
history-unread = これより前のメッセージは、時間内に読めませんでした。
check-struck = 結果にないリンクやファイル名を、この回答から { $count } 件取り除きました。
answer-cut = 回答が { $count } 文字を超えたため、途中で切りました。
answer-unfinished = この文章は途中までです。モデルが早く止まりました。続きは「続けて」と書いてください。
# Moods as experts for voices shorten them.
label-ang = 怒り
label-hap = 喜び
label-neu = 平静
label-fea = 恐れ
label-dis = 嫌悪
label-sur = 驚き
label-exc = 興奮
label-fru = 苛立ち
