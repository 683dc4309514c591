# プログラムを動かす人による設定と、ページが最初に示す例。
setup-not-here = これは、Troupe を動かしている人が同じマシンのブラウザーから使う場合にだけできます。
setup-too-often = 短い時間に何度も試されました。1分待ってから、もう一度お試しください。
setup-key-missing = まずキーを貼り付けてください。
setup-odd-key = これはキーでもトークンでもないようです。空白のない、8文字以上の文字と数字と記号からなる1つの語です。
setup-too-long = 長すぎます。
setup-whose-key = どのサービスのキーか分かりません。サービスを選んでください。
setup-address-missing = サーバーのアドレスを入力してください。例：https://example.com/v1
setup-slack-bot-token = ボットトークンは xoxb- で始まります。アプリをインストールすると、Slack の「Install App」に表示されます。
setup-slack-app-token = アプリトークンは xapp- で始まります。Slack の「Basic Information」の「App-Level Tokens」で作成します。
setup-replicas = 別の Troupe が同じデータベースで動いていて、.env はこのマシンにしか効きません。設定は、それぞれを起動するところで変更してください。
setup-in-environment = { $names } は環境変数で設定されていて、.env ファイルより優先されます。Troupe を起動するところで変更してください。
setup-in-toml = { $names } は troupe.toml で設定されています。そこから消す必要があります。
setup-unwritten = すべて確認でき、動作しますが、保存できませんでした。{ $problem } 次の行を { $file } に書き加えて、Troupe を起動し直してください：{ $lines }
setup-file-away = { $file } を読み書きできません：{ $problem }
setup-unreadable-value = { $name } を .env に書けません。値に、別の意味に読まれる記号が含まれています。
setup-nothing-to-undo = 元に戻すものはありません。
setup-put-back = 新しい設定では起動できなかったため、前の設定に戻しました。{ $problem }
setup-llm-on = { $model } が計画し、回答します。{ $sees ->
    [yes] 画像も見られます。
   *[no] 画像は見られません。
  }
setup-llm-off = 言語モデルがありません。内蔵プランナーは簡単な依頼は分かりますが、会話や文章作成や翻訳はできません。
setup-llm-closed = TROUPE_CONTROLLER が off のため、言語モデルは計画しません。
setup-hosted-on = Hugging Face のモデルを使えます。
setup-hosted-off = Hugging Face のトークンがないため、そのモデルは使えません。
setup-local-on = このマシンでモデルが動いています（{ $address }）。
setup-local-none = このマシンでモデルを動かす準備はできていますが、モデルがまだありません。
setup-local-off = このマシンではモデルは動いていません。
setup-slack-on = Slack に接続しています。
setup-slack-off = Slack には接続していません。
setup-discord-on = Discord に接続しています。
setup-discord-off = Discord には接続していません。
start-draw = 絵を描いてもらう
start-draw-text = 夕暮れの灯台を水彩画で描いて
start-poem = 詩を書いて読んでもらう
start-poem-text = 海についての4行の詩を書いて、読み上げて
start-invoice = 請求書を読み上げてもらう
start-invoice-text = この請求書の合計を読み上げて
start-look = 画像を説明してもらう
start-look-text = この画像には何が写っていますか？
start-translate = 翻訳してもらう
start-translate-text = 英語とフランス語に翻訳して：「早起きは三文の徳。」
start-sketch = 画像を鉛筆画にする
start-sketch-text = この画像を鉛筆画にして
start-mood = レビューの感情を調べる
start-mood-text = このレビューの感情は？「部屋は素敵で朝食はさらに良かったけれど、チェックインに1時間かかりました。」
setup-too-slow = 新しい設定での起動に時間がかかりすぎました。
setup-needs-key = Hugging Face のトークン、または言語モデルのキー。
setup-needs-hub = Hugging Face のトークン、またはこのマシン上のモデル。
setup-needs-local = このマシン上のモデル。
setup-sharing-on = ページの会話はリンクで共有できます。
setup-sharing-off = ページの会話は共有できません。
setup-mend-key = サービス側でキーとアカウントを確認し、キーをもう一度貼り付けてください。
setup-mend-address = アドレスとして { $value } を入力してください。
setup-mend-model = { $named ->
    [true] モデル { $value }、またはサーバーにある別のモデルを選んでください。
   *[false] サーバーにあるモデルを選んでください。
  }
setup-mend-blind = 画像は送られません。
