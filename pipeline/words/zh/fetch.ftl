# Files that are fetched from a URL.
fetch-not-http = 只能下载 http 和 https 地址。
fetch-with-password = { $host } 上的地址带有用户名或密码；这样的地址不会下载。
fetch-unsafe-address = { $host } 不是互联网上的公开地址，因此不从那里下载。
fetch-host-not-allowed = 不从 { $host } 下载：它不在本系统允许的主机列表中（TROUPE_FETCH_HOSTS）。
fetch-port-not-allowed = 不从 { $host } 的端口 { $port } 下载。
fetch-too-many-redirects = { $host } 让我没完没了地从一个地址转到另一个地址。
fetch-downgrade = { $host } 想让我转到不受保护的连接。
fetch-status = { $status ->
    [401] { $host } 要求登录才能获取这个文件。
    [403] { $host } 不允许我获取这个文件。
    [404] { $host } 上没有这个文件。
    [410] { $host } 上的文件已经不在了。
    [429] { $host } 目前收到的请求太多。
   *[other] { $host } 没有给出文件（状态 { $status }）。
  }
fetch-too-large = { $host } 上的文件超过 { $limit } MB。
fetch-too-slow = { $host } 发送文件花的时间太长。
fetch-unreachable = 无法连接 { $host }，或发送文件时中断了。
fetch-encoding = { $host } 发来的文件使用了我不解压的压缩方式。
