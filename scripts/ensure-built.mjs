// Builds the pages and the late modules unless they are newer than everything they could be made of. wrangler runs it before
// each build ([build] in wrangler.toml), so that a fresh clone starts, and a start with nothing new costs a look at the files.
// Whoever else is building them is waited for.
import { arePagesFresh } from './fresh-pages.mjs'
import { PAGES, waitToHold } from './hold.mjs'

const release = await waitToHold(PAGES)
if (!arePagesFresh()) await import('./build-web.mjs')
await release()
