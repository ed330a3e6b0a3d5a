/** Stands for nodemailer's own client of the web (`scripts/build-lazy.mjs`): our mails carry nothing that is fetched. */
// biome-ignore lint/style/noDefaultExport: it is imported so.
export default function fetchNothing(): never {
  throw new Error('Mails fetch nothing')
}
