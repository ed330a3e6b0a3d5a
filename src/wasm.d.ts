/** A WebAssembly file is compiled when the Worker is deployed and imported as a module. */
declare module '*.wasm' {
  const module: WebAssembly.Module
  // biome-ignore lint/style/noDefaultExport: this is how the runtime hands over a compiled file.
  export default module
}
