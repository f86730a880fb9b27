/** What Node has of WebAssembly and its types leave out. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
    static imports(module: Module): readonly unknown[]
  }
  class Instance {
    constructor(module: Module)
    readonly exports: unknown
  }
}
