# What is kept: database and files
store-url = TROUPE_DATABASE_URL n'est pas l'adresse d'une base de données. Indique sqlite:///chemin/du/fichier ou postgresql://utilisateur:motdepasse@serveur/base.
store-driver = PostgreSQL demande un extra : .venv/bin/python -m pip install ".[postgres]". Ou laisse TROUPE_DATABASE_URL vide pour un fichier local.
store-in-use = Un autre Troupe travaille déjà sur { $file }. Arrête-le d'abord, ou donne à celui-ci son propre TROUPE_DATABASE_URL.
store-newer = La base de données vient d'un Troupe plus récent (révision { $revision }). Installe cette version, ou restaure une base plus ancienne.
store-no-revision = Il n'y a pas de révision { $revision } à laquelle revenir. Les révisions sont les fichiers de migrations/versions ; « base » retire toutes les tables.
store-unreadable = { $url } n'est pas une base de données, ou elle est endommagée. Déplace-la ou restaure-la, ou choisis un autre endroit avec TROUPE_DATABASE_URL.
store-unwritable = Impossible d'ouvrir { $url } en écriture. Vérifie les permissions du fichier et de son dossier, ou choisis un autre endroit avec TROUPE_DATABASE_URL.
store-refused = Le serveur de base de données a refusé { $url }. Vérifie utilisateur, mot de passe et nom de la base dans TROUPE_DATABASE_URL.
store-unreached = La base de données { $url } est injoignable. Vérifie TROUPE_DATABASE_URL et que le serveur tourne.
store-full = Le disque est plein. Rien ne peut plus être gardé tant qu'il n'y a pas de place.
store-gone = Ma mémoire est injoignable en ce moment. Réessaie dans un instant, s'il te plaît.
store-damaged = Ma base de données est endommagée. Préviens un administrateur, s'il te plaît : il faut la restaurer depuis une sauvegarde.
files-unwritable = Impossible d'écrire dans le dossier { $folder }. Vérifie ses permissions, ou choisis un autre endroit avec TROUPE_FILES_URL.
