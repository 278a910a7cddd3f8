/** Becomes another program that can write no file larger than so many blocks of 512 bytes: as if a disk were full. */
const [blocks = '', ...command] = process.argv.slice(2)
process.execve?.('/bin/sh', ['sh', '-c', 'ulimit -f "$0"; exec "$@"', blocks, process.execPath, ...command])
