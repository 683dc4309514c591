# What is kept: database and files
store-full = Le disque est plein. Rien ne peut plus être gardé tant qu'il n'y a pas de place.
store-gone = Ma mémoire est injoignable en ce moment. Réessaie dans un instant, s'il te plaît.
store-files-away = Mon stockage de fichiers est injoignable en ce moment. Réessaie dans un instant, s'il te plaît.
store-slow = L'enregistrement prend du temps en ce moment. Réessaie dans un instant, s'il te plaît.
store-waiting = { $problem ->
    [store-full] Mon disque est plein, je ne peux rien enregistrer pour le moment.
    [store-slow] L'enregistrement prend du temps en ce moment.
    [store-files-away] Mon stockage de fichiers est injoignable en ce moment.
   *[other] Ma base de données est injoignable en ce moment.
  } Ceci doit attendre : je continue dès que possible. Inutile de le renvoyer.
store-stopped = J'ai été arrêté avant de pouvoir enregistrer ceci. Renvoie-le, s'il te plaît.
store-damaged = Ma base de données est endommagée. Préviens un administrateur, s'il te plaît : il faut la restaurer depuis une sauvegarde.
