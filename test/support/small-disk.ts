import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of a few megabytes, mounted in a temporary folder. */
export interface SmallDisk {
  readonly folder: string
  /** Takes away all space but so much, which `free` gives back. */
  fill(bytesLeft: number): void
  free(): void
  unmount(): void
}

const blockBytes = 4_096

/** Undefined where this user may mount nothing. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'quire-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmdirSync(folder)
    return undefined
  }
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill(bytesLeft) {
      const free = Number(execFileSync('stat', ['-f', '--format=%a', folder], { encoding: 'utf8' })) * blockBytes
      writeFileSync(ballast, Buffer.alloc(Math.max(0, free - bytesLeft)))
    },
    free: () => rmSync(ballast, { force: true }),
    unmount() {
      execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' })
      rmdirSync(folder)
    },
  }
}
