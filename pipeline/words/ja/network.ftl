# プロキシと証明書についてドクターが運用者に伝えること。
network-no-proxy = プロキシは設定されていません（HTTPS_PROXY、HTTP_PROXY、ALL_PROXY）。すべてに直接接続します。
network-proxy = { $scheme } はプロキシ { $proxy }（{ $setting }）を経由します。
network-exceptions = プロキシを経由しないもの: このマシンと、NO_PROXY にある { $entries }。
network-exception-odd = NO_PROXY: { $entry } は何にも一致しません。ホスト（example.com）、アドレス、またはネットワーク（10.0.0.0/8）を書いてください。
network-through = プロキシ経由: { $clients }。
network-past = 直接: { $clients }。
network-certificates = システムの証明書のほかに信頼するもの: { $files }。
network-proxy-login = プロキシ { $proxy } はユーザー名とパスワードを求めているか、送られたものを拒否しています。{ $setting }=http://USER:PASSWORD@HOST:PORT と書いてください（特殊文字は %XX）。
network-proxy-failed = プロキシ { $proxy } は { $host } に接続しません（{ $problem }）。{ $setting } を確認するか、プロキシでこのホストを許可するか、プロキシなしで届くなら NO_PROXY に書いてください。
network-certificate = { $host } の証明書は信頼されていません（{ $problem }）。プロキシや組織が独自に証明書を発行している場合は、その証明書の PEM ファイルを SSL_CERT_FILE に設定してください。
