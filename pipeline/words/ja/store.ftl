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
store-damaged = データベースが壊れています。管理者に知らせてください。バックアップから復元する必要があります。
files-unwritable = フォルダー { $folder } に書き込めません。権限を確認するか、TROUPE_FILES_URL を別の場所にしてください。
