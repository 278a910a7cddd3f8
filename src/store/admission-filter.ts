// Ids share slots; one that is looked up again and again is admitted sooner or later.
const slots = 1 << 16

/**
 * Admits to a cache what is looked up a second time: called at each look-up, it tells whether the id was looked up lately. It forgets,
 * and hardly ever confuses two.
 */
export function createAdmissionFilter(): (id: string) => boolean {
  const hashes = new Uint32Array(slots)
  return (id) => {
    const hash = hashOf(id)
    const slot = (hash ^ (hash >>> 16)) & (slots - 1)
    if (hashes[slot] === hash) return true
    hashes[slot] = hash
    return false
  }
}

function hashOf(text: string): number {
  let hash = 0
  for (let index = 0; index < text.length; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) >>> 0
  return hash
}
