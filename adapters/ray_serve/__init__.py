"""Our experts on a Ray cluster: the pool of the expert server in every replica, on its wire."""
