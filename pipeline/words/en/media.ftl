# Worker processes, and files that cannot be read, converted or made smaller.
worker-lost = The program that worked on this crashed.
worker-out-of-memory = This needed more memory than one piece of work may use here.
