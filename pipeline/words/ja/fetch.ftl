# Files that are fetched from a URL.
fetch-not-http = 取得できるのは http と https のアドレスだけです。
fetch-with-password = { $host } のアドレスに名前かパスワードが含まれています。そのようなアドレスからは取得しません。
fetch-unsafe-address = { $host } はインターネット上の公開アドレスではないため、取得しません。
fetch-host-not-allowed = { $host } からは取得しません。許可されたホストの一覧（TROUPE_FETCH_HOSTS）にありません。
fetch-port-not-allowed = { $host } のポート { $port } からは取得しません。
fetch-too-many-redirects = { $host } に次々と別のアドレスへ回され、きりがありませんでした。
fetch-downgrade = { $host } が保護されていない接続へ転送しようとしました。
fetch-status = { $status ->
    [401] { $host } でこのファイルを取得するにはログインが必要です。
    [403] { $host } がこのファイルへのアクセスを許可しません。
    [404] { $host } にそのファイルはありません。
    [410] そのファイルは { $host } からなくなりました。
    [429] { $host } への依頼が今多すぎます。
   *[other] { $host } がファイルを渡しませんでした（ステータス { $status }）。
  }
fetch-too-large = { $host } のファイルは { $limit } MB を超えています。
fetch-too-slow = { $host } からのファイルの送信に時間がかかりすぎました。
fetch-unreachable = { $host } に接続できないか、ファイルの送信中に切れました。
fetch-encoding = { $host } が、展開できない方式で圧縮したファイルを送ってきました。
