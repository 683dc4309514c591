# What is kept: database and files
store-full = 磁盘已满。在腾出空间之前无法再保存任何内容。
store-gone = 我的存储目前无法访问。请稍后再试。
store-files-away = 我的文件存储目前无法访问。请稍后再试。
store-slow = 现在保存需要较长时间。请稍后再试。
store-waiting = { $problem ->
    [store-full] 磁盘已满，我现在无法保存任何内容。
    [store-slow] 现在保存需要较长时间。
    [store-files-away] 我现在无法访问文件存储。
   *[other] 我现在无法访问数据库。
  }请稍候：一旦恢复，我会继续处理。无需再次发送。
store-stopped = 在保存之前我被停止了。请再次发送。
store-damaged = 我的数据库已损坏。请告诉管理员：需要从备份中恢复。
