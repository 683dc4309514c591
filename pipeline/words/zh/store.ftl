# What is kept: database and files
store-url = TROUPE_DATABASE_URL 不是数据库地址。请写成 sqlite:///路径/文件 或 postgresql://用户:密码@主机/数据库。
store-driver = PostgreSQL 需要附加组件：.venv/bin/python -m pip install ".[postgres]"。或把 TROUPE_DATABASE_URL 留空以使用本地文件。
store-in-use = 另一个 Troupe 已在使用 { $file }。请先停止它，或给这一个单独的 TROUPE_DATABASE_URL。
store-newer = 数据库由更新的 Troupe 创建（修订 { $revision }）。请安装该版本，或恢复较旧的数据库。
store-no-revision = 没有可以退回的修订 { $revision }。修订即 migrations/versions 中的文件；“base”会移除所有表。
store-unreadable = { $url } 不是数据库，或已损坏。请移走或恢复它，或把 TROUPE_DATABASE_URL 设到别处。
store-unwritable = 无法以写入方式打开 { $url }。请检查文件及其文件夹的权限，或把 TROUPE_DATABASE_URL 设到别处。
store-refused = 数据库服务器拒绝了 { $url }。请检查 TROUPE_DATABASE_URL 中的用户、密码和数据库名。
store-unreached = 无法连接数据库 { $url }。请检查 TROUPE_DATABASE_URL 以及服务器是否在运行。
store-full = 磁盘已满。在腾出空间之前无法再保存任何内容。
store-gone = 我的存储目前无法访问。请稍后再试。
store-slow = 现在保存需要较长时间。请稍后再试。
store-waiting = { $problem ->
    [store-full] 磁盘已满，我现在无法保存任何内容。
    [store-slow] 现在保存需要较长时间。
   *[other] 我现在无法访问数据库。
  }请稍候：一旦恢复，我会继续处理。无需再次发送。
store-stopped = 在保存之前我被停止了。请再次发送。
store-damaged = 我的数据库已损坏。请告诉管理员：需要从备份中恢复。
files-unwritable = 无法写入文件夹 { $folder }。请检查其权限，或把 TROUPE_FILES_URL 设到别处。
backup-done = 已将数据库和 { $files } 个文件保存到 { $file }。
backup-done-files = 已将 { $files } 个文件保存到 { $file }。其中不含数据库：请用 pg_dump 导出。
backup-nothing = { $file } 处还没有数据库，没有可保存的内容。
backup-unwritable = 无法写入 { $file }：{ $problem }。什么都没有保存。
backup-unreadable = 无法解包 { $file }：{ $problem }。什么都没有恢复。
backup-wrong = { $file } 不是此版本 Troupe 的备份，或者已损坏或不完整。什么都没有恢复。
restore-not-empty = 这里已经有对话。要用备份替换它们：troupe restore --replace
restore-no-database = 此备份中没有数据库：数据库原先在服务器上。请先把 TROUPE_DATABASE_URL 设为它的地址。
restore-done = 已从 { $file } 恢复数据库和 { $files } 个文件。
restore-done-files = 已从 { $file } 恢复 { $files } 个文件。数据库要在其服务器上用 pg_restore 恢复。
