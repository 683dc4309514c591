# What only Slack gives occasion to say.
slack-status = が作業しています…
slack-loading =
    メッセージを読んでいます …
    手順を考えています …
    手順ごとにモデルを選んでいます …
    手順を実行しています …
slack-prompt-draw = 絵を描く
slack-prompt-draw-text = 夜明けの灯台の絵を描いて。
slack-prompt-poem = 詩を書いて読み上げる
slack-prompt-poem-text = 海についての短い詩を書いて、読み上げて。
slack-prompt-translate = 文を翻訳する
slack-prompt-translate-text = 「駅はどこですか？」を英語に翻訳して。
slack-prompt-mood = レビューの感情を判断する
slack-prompt-mood-text = このレビューの感情は？「部屋は素敵で、スタッフも親切でした。」
slack-prompt-read = 文章を読み上げる
slack-prompt-read-text = これを読み上げて：「皆さん、おはようございます。会議は10時に始まります。」
slack-prompt-help = 何ができますか？
slack-unreachable = このマシンから Slack に接続できませんでした。オンラインですか。プロキシを使う必要はありませんか。
slack-refused = { $code ->
    [is_archived] そのチャンネルはアーカイブされています。
    [channel_not_found] そのチャンネルはもうないか、私には見えません。
    [not_in_channel] 私はもうそのチャンネルにいません。
    [restricted_action] そこには書き込めません。
    [restricted_action_read_only_channel] そこには書き込めません。
    [restricted_action_thread_only_channel] そこには書き込めません。
    [restricted_action_thread_locked] そのスレッドはロックされています。
    [storage_limit_reached] ワークスペースにファイルの空き容量がありません。
    [file_uploads_disabled] このワークスペースではファイルをアップロードできません。
   *[other] Slack が { $method } を拒否しました：{ $code }
}
slack-scope-missing = ここではできません。アプリにスコープ { $scope } がありません。管理者が追加できます。
slack-could-not-answer = { $channel } で答えられませんでした：{ $reason }
slack-about = { $place } について:
slack-not-in-channel = 私はこの会話に参加していません。/invite で招待するか、ダイレクトメッセージを送ってください。
slack-not-your-channel = あなたがこの会話に参加していることを確認できないため、そこでは何もしません。
slack-asked = { $name } さんの質問：{ $text }
slack-usage = 次のように書いてください：`{ $usage }`
slack-unknown-word = 「{ $name }」というコマンドはありません。一覧は `{ $slash } help`、依頼は `{ $slash } ask …` です。
slack-unknown-command = 「{ $name }」というコマンドはありません。`{ $slash } { $nearest }` のことですか？この言葉で始まる依頼は `{ $slash } ask …` と書いてください。
slack-which-thread = どのスレッドですか？
slack-pick-thread = スレッドを選択
slack-no-threads = このチャンネルでは、まだどのスレッドにも返信していません。
slack-form-title = Troupe に頼む
slack-form-description = どこからでも、言葉とファイルで頼めます
slack-form-channel = どこに回答しますか？
slack-form-direct = あなたへのダイレクトメッセージ
slack-form-submit = 送信
slack-form-large = { $name } は { $size } MB あります。{ $limit } MB まで受け取れます。
slack-form-empty = してほしいことを書いてください。
slack-home-works = ここでできること
slack-home-requests = 最近の依頼
slack-home-none = まだありません。ここに書くか、チャンネルで私をメンションしてください。
slack-home-all = すべて表示
slack-home-missing = まだできないこと
slack-home-settings = チャンネルの設定
slack-home-choose = チャンネルを選ぶと、設定の確認と変更ができます。
slack-home-channel = チャンネルを選択
slack-home-change = 変更
slack-form-close = 閉じる
slack-file-sign-in = Slack が { $name } の代わりにログインページを返しました。アプリにスコープ files:read がないか、ファイルへのアクセス権がありません。
slack-file-elsewhere = { $name } は別のサービス（{ $host }）にあり、そこからは取得できません。ここにアップロードしてください。
slack-file-gone = { $name } というファイルは Slack にはもうありません。
slack-bot-token-wrong = SLACK_BOT_TOKEN が使えません（{ $code }）。"Bot User OAuth Token" を取得してください：{ $link }
slack-app-token-wrong = SLACK_APP_TOKEN が使えません（{ $code }）。スコープ connections:write を付けて作成してください：{ $link }
slack-revoked = アプリがワークスペースから削除されたか、トークンが取り消されました。もう一度インストールしてください：{ $link }
slack-not-installed = このワークスペース（{ $team }）にはアプリがもうインストールされていません。
slack-rotation = このアプリではトークンのローテーションが有効ですが、Troupe は対応しておらず、Slack では無効に戻せません。`troupe slack manifest` が出力するマニフェストでアプリを作り直してください。
slack-secret-key-bad = TROUPE_SECRET_KEY が Fernet の鍵ではありません。次のコマンドで作成してください：{ $command }
slack-secret-key-wrong = TROUPE_SECRET_KEY では、インストール済みの Slack ワークスペースのトークンを復号できません。保存時の鍵を、新しい鍵の後にコンマで区切って設定してください。
