# Files that are fetched from a URL.
fetch-not-http = Only http and https addresses can be fetched.
fetch-with-password = The address on { $host } contains a name or password; such addresses are not fetched.
fetch-unsafe-address = { $host } is not a public address on the Internet, so nothing is fetched from it.
fetch-host-not-allowed = Nothing is fetched from { $host }: it is not on this installation's list of hosts (TROUPE_FETCH_HOSTS).
fetch-port-not-allowed = Nothing is fetched from { $host } on port { $port }.
fetch-too-many-redirects = { $host } redirected too many times.
fetch-downgrade = { $host } redirected to an unprotected connection.
fetch-status = { $status ->
    [401] { $host } wants a login for this file.
    [403] { $host } does not let me have this file.
    [404] There is no such file on { $host }.
    [410] The file is gone from { $host }.
    [429] { $host } is getting too many requests right now.
   *[other] { $host } did not send the file (status { $status }).
  }
fetch-too-large = The file on { $host } is larger than { $limit } MB.
fetch-too-slow = { $host } took too long to send the file.
fetch-unreachable = { $host } could not be reached, or the connection broke while the file was sent.
fetch-encoding = { $host } sent the file in an unsupported encoding.
