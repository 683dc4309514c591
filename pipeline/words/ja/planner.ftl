# The built-in planner: plain talk, and one short question instead of a guess.
planner-hello = こんにちは！ファイルか文章を送って、どうしてほしいか教えてください。
planner-welcome = どういたしまして！
planner-about = 画像、録音、動画、文書、表、文章に対する AI モデルの処理手順を計画し、実行します。ファイルを送って、「何と書いてありますか？」のように、したいことを伝えてください。ここで何ができるかはコマンド「tasks」でわかります。言語モデルがないときも依頼は理解できますが、雑談はできません。
planner-no-talk = 言語モデルがないため、雑談や一般的な質問への回答はできません。画像、録音、動画、文書、表、文章を扱えます。できることはコマンド「tasks」で確認できます。
planner-turn-on = 言語モデルは[できることを増やす](#/setup)で有効にできます。
planner-outside = それはできません。画像、録音、動画、文書、表、文章を扱えます。できることはコマンド「tasks」で確認できます。
planner-not-done = できなかったこと：「{ $words }」。これは私にはできません。
planner-empty = メッセージに何も書かれていません。したいことを教えてください。ファイルに関することなら、ファイルも添えてください。
planner-empty-with-files = これをどうしましょうか？
planner-unsure = 何をすればよいか、はっきりわかりません。別の言い方で教えてもらえますか？
planner-unread = 言語モデルがないため、わかるのは日本語、英語、ドイツ語、フランス語、スペイン語、中国語です。このいずれかで言ってもらえますか？
planner-unsure-files = これをどうすればよいか、はっきりわかりません。別の言い方で教えてもらえますか？
planner-unsure-order = どの順番にしますか。先に「{ $first }」、次に「{ $second }」でよいですか？ 片方だけでもできます。
planner-which = どれのことですか：{ $names }？
planner-undo = どの版も残っています。どのファイルから続けるか教えてください。例：「元の画像」。
planner-lacks-file =
    それには{ $type ->
        [image] 画像
        [audio] 音声
        [video] 動画
        [document] 文書
        [table] 表
       *[other] ファイル
    }が必要です。送ってもらえますか？
planner-lacks-text =
    メッセージに{ $slot ->
        [question] 質問
        [labels] 選ぶためのラベル
        [sentences] 比べる相手
        [language] 言語
       *[other] 文章
    }が足りません。追加してもらえますか？
planner-absent-name = 「{ $name }」というファイルがここに見当たりません。送ってもらえますか？
planner-no-file-usable =
    { $count ->
        [1] 送られたファイルを使えなかったので、何もしませんでした。もう一度送るか、別のものを送ってもらえますか？
       *[other] 送られたファイルはどれも使えなかったので、何もしませんでした。もう一度送るか、別のものを送ってもらえますか？
    }
