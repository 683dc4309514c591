"""How everything outside is reached: proxies, certificates and timeouts, one rule for all."""
