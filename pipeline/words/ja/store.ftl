# What is kept: database and files
store-url = TROUPE_DATABASE_URL はデータベースのアドレスではありません。sqlite:///パス/ファイル または postgresql://ユーザー:パスワード@ホスト/データベース の形で指定してください。
store-driver = PostgreSQL には追加機能が必要です：.venv/bin/python -m pip install ".[postgres]"。または TROUPE_DATABASE_URL を空にしてローカルファイルを使ってください。
store-in-use = 別の Troupe がすでに { $file } を使っています。先にそれを止めるか、こちらに別の TROUPE_DATABASE_URL を指定してください。
store-newer = データベースはより新しい Troupe で作られています（リビジョン { $revision }）。そのバージョンをインストールするか、古いデータベースを復元してください。
store-no-revision = 戻せるリビジョン { $revision } はありません。リビジョンは migrations/versions のファイルです。「base」はすべてのテーブルを取り除きます。
store-unreadable = { $url } はデータベースではないか、壊れています。移動または復元するか、TROUPE_DATABASE_URL を別の場所にしてください。
store-unwritable = { $url } を書き込み用に開けません。ファイルとフォルダーの権限を確認するか、TROUPE_DATABASE_URL を別の場所にしてください。
store-refused = データベースサーバーが { $url } を拒否しました。TROUPE_DATABASE_URL のユーザー、パスワード、データベース名を確認してください。
store-unreached = データベース { $url } に接続できません。TROUPE_DATABASE_URL と、サーバーが動いていることを確認してください。
store-full = ディスクがいっぱいです。空きができるまで何も保存できません。
store-gone = 今、記憶にアクセスできません。少ししてからもう一度試してください。
store-slow = 今、保存に時間がかかっています。少ししてからもう一度試してください。
store-waiting = { $problem ->
    [store-full] ディスクがいっぱいで、今は何も保存できません。
    [store-slow] 今、保存に時間がかかっています。
   *[other] 今、データベースにアクセスできません。
  }少しお待ちください。できるようになり次第、続けます。もう一度送る必要はありません。
store-stopped = 保存する前に停止されました。もう一度送ってください。
store-damaged = データベースが壊れています。管理者に知らせてください。バックアップから復元する必要があります。
files-unwritable = フォルダー { $folder } に書き込めません。権限を確認するか、TROUPE_FILES_URL を別の場所にしてください。
backup-done = データベースと { $files } 個のファイルを { $file } に保存しました。
backup-done-files = { $files } 個のファイルを { $file } に保存しました。データベースは含まれていません。pg_dump で保存してください。
backup-nothing = { $file } にはまだデータベースがないため、保存するものがありません。
backup-unwritable = { $file } に書き込めません：{ $problem }。何も保存されていません。
backup-unreadable = { $file } を展開できません：{ $problem }。何も復元されていません。
backup-wrong = { $file } はこのバージョンの Troupe のバックアップではないか、壊れているか、途中で切れています。何も復元されていません。
restore-not-empty = ここにはすでに会話があります。バックアップで置き換えるには：troupe restore --replace
restore-no-database = このバックアップにデータベースはありません。サーバーにあったためです。先に TROUPE_DATABASE_URL にそのアドレスを設定してください。
restore-done = { $file } からデータベースと { $files } 個のファイルを復元しました。
restore-done-files = { $file } から { $files } 個のファイルを復元しました。データベースはサーバー上で pg_restore を使って復元します。
