# What the doctor tells operators about proxies and certificates.
network-no-proxy = No proxy is set (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY): everything is reached directly.
network-proxy = { $scheme } goes through the proxy { $proxy } ({ $setting }).
network-exceptions = Never through a proxy: this machine, and what NO_PROXY names: { $entries }.
network-exception-odd = NO_PROXY: { $entry } matches nothing. Write a host (example.com), an address or a network (10.0.0.0/8).
network-through = Through the proxy: { $clients }.
network-past = Directly: { $clients }.
network-certificates = Trusted besides the system's certificates: { $files }.
network-proxy-login = The proxy { $proxy } wants a user name and a password, or refuses those that it was sent. Write { $setting }=http://USER:PASSWORD@HOST:PORT, with special characters as %XX.
network-proxy-failed = The proxy { $proxy } does not connect to { $host } ({ $problem }). Check { $setting }, allow the host at the proxy, or name it in NO_PROXY if it can be reached without.
network-certificate = The certificate of { $host } is not trusted ({ $problem }). If the proxy or your organisation signs certificates itself, set SSL_CERT_FILE to a PEM file with its own certificate.
