// Ids share them; one that is looked up again and again comes to its own sooner or later.
const places = 1 << 16

/** Whether an id was looked up lately, told of one look-up after another. It forgets, and hardly ever confuses two. */
export function createGlances(): (id: string) => boolean {
  const hashes = new Uint32Array(places)
  return (id) => {
    const hash = hashOf(id)
    const place = (hash ^ (hash >>> 16)) & (places - 1)
    if (hashes[place] === hash) return true
    hashes[place] = hash
    return false
  }
}

function hashOf(text: string): number {
  let hash = 0
  for (let index = 0; index < text.length; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) >>> 0
  return hash
}
