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
store-slow = L'enregistrement prend du temps en ce moment. Réessaie dans un instant, s'il te plaît.
store-waiting = { $problem ->
    [store-full] Mon disque est plein, je ne peux rien enregistrer pour le moment.
    [store-slow] L'enregistrement prend du temps en ce moment.
   *[other] Ma base de données est injoignable en ce moment.
  } Ceci doit attendre : je continue dès que possible. Inutile de le renvoyer.
store-stopped = J'ai été arrêté avant de pouvoir enregistrer ceci. Renvoie-le, s'il te plaît.
store-damaged = Ma base de données est endommagée. Préviens un administrateur, s'il te plaît : il faut la restaurer depuis une sauvegarde.
files-unwritable = Impossible d'écrire dans le dossier { $folder }. Vérifie ses permissions, ou choisis un autre endroit avec TROUPE_FILES_URL.
backup-done = La base de données et { $files } fichiers sont sauvegardés dans { $file }.
backup-done-files = { $files } fichiers sont sauvegardés dans { $file }. La base de données n'y est pas : sauvegarde-la avec pg_dump.
backup-nothing = Il n'y a pas encore de base de données à { $file } : il n'y a rien à sauvegarder.
backup-unwritable = { $file } ne peut pas être écrit : { $problem }. Rien n'a été sauvegardé.
backup-unreadable = { $file } ne peut pas être extrait : { $problem }. Rien n'a été restauré.
backup-wrong = { $file } n'est pas une sauvegarde de cette version de Troupe, ou elle est abîmée ou incomplète. Rien n'a été restauré.
restore-not-empty = Il y a déjà des conversations ici. Pour les remplacer par la sauvegarde : troupe restore --replace
restore-no-database = Cette sauvegarde ne contient pas de base de données : elle était sur un serveur. Mets d'abord son adresse dans TROUPE_DATABASE_URL.
restore-done = La base de données et { $files } fichiers de { $file } sont restaurés.
restore-done-files = { $files } fichiers de { $file } sont restaurés. La base de données se restaure sur son serveur, avec pg_restore.
