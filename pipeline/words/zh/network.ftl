# 医生就代理和证书告诉运维人员的话。
network-no-proxy = 没有设置代理（HTTPS_PROXY、HTTP_PROXY、ALL_PROXY）：一切都直接连接。
network-proxy = { $scheme } 经过代理 { $proxy }（{ $setting }）。
network-exceptions = 从不经过代理：本机，以及 NO_PROXY 列出的：{ $entries }。
network-exception-odd = NO_PROXY：{ $entry } 不匹配任何地址。请写主机（example.com）、地址或网络（10.0.0.0/8）。
network-through = 经过代理：{ $clients }。
network-past = 直接连接：{ $clients }。
network-certificates = 除系统证书外还信任：{ $files }。
network-proxy-login = 代理 { $proxy } 要求用户名和密码，或拒绝了发给它的那些。请写 { $setting }=http://USER:PASSWORD@HOST:PORT，特殊字符写成 %XX。
network-proxy-failed = 代理 { $proxy } 没有连接到 { $host }（{ $problem }）。请检查 { $setting }，在代理上允许该主机，或者如果不经代理也能到达，把它写进 NO_PROXY。
network-certificate = { $host } 的证书不受信任（{ $problem }）。如果代理或你的组织自己签发证书，请把 SSL_CERT_FILE 设为含有其证书的 PEM 文件。
