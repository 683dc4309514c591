# The answer that is written without a language model.
respond-sure = とても確かです。
respond-fairly = かなり確かです。
respond-unsure = 確信が持てないので、ご確認ください。
respond-is = { $subject }は{ $found }です
respond-label = 最も可能性が高いのは{ $label }です。
respond-also = 可能性が低いもの：{ $labels }。
respond-alike = 類似度は { $percent }% です。
respond-things = 見つかったもの：{ $things }。
respond-and = { $most }、{ $last }
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
respond-failed = { $kind }はうまくいきませんでした：{ $reason }
respond-none = { $kind }：{ $reason }
respond-skipped = { $because }がうまくいかなかったため、{ $kind }は始めませんでした。
respond-stopped = { $kind }を停止しました。
respond-how = 使ったもの：{ $steps }。
respond-step = { $kind }に { $model }（{ $place ->
    [embedded] 内蔵
    [llm] 言語モデル
    [local] 自前のサーバー
    [hosted] ホスト型
   *[other] { $place }
 }）
respond-nothing = 何も行いませんでした。
respond-entity-per = 人名
respond-entity-org = 組織
respond-entity-loc = 場所
respond-entity-misc = 名前
