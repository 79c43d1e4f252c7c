// The page's modules and its contract, as the TypeScript compiler understands them.
import {readFileSync} from "node:fs";
import path from "node:path";
import ts from "typescript";
import {pages} from "./scripted_daemon.mjs";

const kContract = path.join(pages, "snapshot.d.ts");

/** A program of all modules, and of more texts: {name: TypeScript}, which may name the contract's types. */
export class PageProgram {
  constructor(more) {
    const file = path.join(pages, "tsconfig.json");
    const {config} = ts.parseConfigFileTextToJson(file, readFileSync(file, "utf8"));
    const {options, fileNames} = ts.parseJsonConfigFileContent(config, ts.sys, pages);
    const texts = new Map(
      Object.entries(more).map(([name, text]) => [path.join(pages, name), text]),
    );
    const host = ts.createCompilerHost(options);
    const {fileExists, readFile, getSourceFile} = host;
    host.fileExists = (name) => texts.has(name) || fileExists.call(host, name);
    host.readFile = (name) => texts.get(name) ?? readFile.call(host, name);
    host.getSourceFile = (name, language, ...rest) =>
      texts.has(name)
        ? ts.createSourceFile(name, texts.get(name), language)
        : getSourceFile.call(host, name, language, ...rest);
    this.program = ts.createProgram([...fileNames, ...texts.keys()], options, host);
    this.checker = this.program.getTypeChecker();
    this.contract = this.program.getSourceFile(kContract);
    this.modules = this.program
      .getSourceFiles()
      .filter(({fileName}) => fileName.startsWith(pages) && fileName.endsWith(".js"));
  }

  /** What is wrong with the types of one text, or of the page itself, in words. */
  complaints(name) {
    return ts
      .getPreEmitDiagnostics(
        this.program,
        name && this.program.getSourceFile(path.join(pages, name)),
      )
      .map(({file, start, messageText}) => {
        const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
        const text = ts.flattenDiagnosticMessageText(messageText, "\n");
        return `${path.relative(pages, file?.fileName ?? "")}:${line}: ${text}`;
      });
  }

  /** The names that a module exports; none of one that is not there. */
  exportsOf(name) {
    const file = this.program.getSourceFile(path.join(pages, name));
    const symbol = file && this.checker.getSymbolAtLocation(file);
    return symbol ? this.checker.getExportsOfModule(symbol).map(({name}) => name) : [];
  }

  /** The type of the contract with that name. */
  type(name) {
    const found = this.contract.statements.find((statement) => statement.name?.text === name);
    return this.checker.getTypeAtLocation(found.name);
  }

  /** The members of an interface, each with its type. */
  members(type) {
    return type.getProperties().map((symbol) => ({
      name: symbol.name,
      symbol,
      optional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
      type: this.checker.getTypeOfSymbol(symbol),
    }));
  }

  /** The words of a type that is a choice among words; nothing of any other. */
  words(type) {
    const parts = this.checker.getNonNullableType(type);
    const each = parts.isUnion() ? parts.types : [parts];
    return each.every((part) => part.isStringLiteral()) ? each.map(({value}) => value) : null;
  }

  /** Every choice among words in the contract that has a name: {NAME: [WORD, ...]}. */
  names() {
    const aliases = this.contract.statements.filter(ts.isTypeAliasDeclaration);
    const named = aliases.map(({name}) => [name.text, this.words(this.type(name.text))]);
    return Object.fromEntries(named.filter(([, words]) => words !== null));
  }

  *nodes(files = this.modules) {
    const within = function* (node) {
      yield node;
      for (const child of node.getChildren()) yield* within(child);
    };
    for (const file of files) yield* within(file);
  }

  /** Every member of what the program sends, as it is declared: [{name: "Operator.vault.text", node}]. */
  declared() {
    const named = (node) =>
      node ? [...named(node.parent), ...(node.name ? [node.name.text] : [])] : [];
    const sent = this.contract.statements.filter(({name}) => name?.text !== "Commands");
    return [...this.nodes(sent)]
      .filter(ts.isPropertySignature)
      .map((node) => ({name: named(node).join("."), node}));
  }

  /** The nodes of declared() that some module looks at. */
  *read() {
    for (const node of this.nodes()) {
      if (!ts.isIdentifier(node)) continue;
      const {parent} = node;
      const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node;
      const isTaken = ts.isBindingElement(parent) && ts.isObjectBindingPattern(parent.parent);
      const symbol = isMember
        ? this.checker.getSymbolAtLocation(node)
        : isTaken && (parent.propertyName ?? parent.name) === node
          ? this.checker.getTypeAtLocation(parent.parent).getProperty(node.text)
          : undefined;
      for (const declaration of symbol?.declarations ?? []) {
        if (declaration.getSourceFile() === this.contract) yield declaration;
      }
    }
  }

  /** Every text that an expression of the page may stand for, as far as its type tells. */
  textsOf(node) {
    if (!ts.isTemplateExpression(node)) {
      const type = this.checker.getTypeAtLocation(node);
      return this.words(type) ?? [];
    }
    let texts = [node.head.text];
    for (const {expression, literal} of node.templateSpans) {
      const words = this.words(this.checker.getTypeAtLocation(expression)) ?? [];
      texts = texts.flatMap((text) => words.map((word) => text + word + literal.text));
    }
    return texts;
  }

  /** Every text that the modules name, put together, look up or pass on. */
  texts() {
    const texts = new Set();
    const add = (more) => more.forEach((text) => texts.add(text));
    // What takes any key calls for none of them.
    const addWords = (node) => add(this.textsOf(node).filter((word) => !word.includes(".")));
    for (const node of this.nodes()) {
      if (ts.isStringLiteralLike(node)) texts.add(node.text);
      else if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node))
        texts.add(node.name.text);
      else if (ts.isElementAccessExpression(node)) addWords(node.argumentExpression);
      else if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken)
        addWords(node.right);
      else if (ts.isTemplateExpression(node)) {
        add(this.textsOf(node));
        node.templateSpans.forEach(({expression}) => addWords(expression));
      }
    }
    return texts;
  }

  /** The first arguments of all calls of methods with these names, but for those in modules that pass anything on. */
  *firstArguments(...methods) {
    for (const node of this.nodes()) {
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) continue;
      const passesOn = /\/(connection|voice|page)\.js$/.test(node.getSourceFile().fileName);
      const [argument] = node.arguments;
      if (
        methods.includes(node.expression.name.text) &&
        !(passesOn && !ts.isStringLiteral(argument))
      )
        yield argument;
    }
  }

  /** The names of all commands that some module sends. */
  commands() {
    return [...this.firstArguments("command")].flatMap((node) => this.textsOf(node));
  }

  /** The keys of all sentences that some module speaks; "? TYPE" where its type does not tell which. */
  spoken() {
    const {checker} = this;
    const lists = [...this.firstArguments("speak")].map((node) => checker.getTypeAtLocation(node));
    for (const node of this.nodes()) {
      if (!ts.isPropertyAssignment(node) || node.name.getText() !== "says") continue;
      const [signature] = checker.getTypeAtLocation(node.initializer).getCallSignatures();
      lists.push(signature.getReturnType());
    }
    // What is said in languages of their own.
    const named = [...this.nodes()]
      .filter((node) => ts.isPropertyAssignment(node) && node.name.getText() === "names")
      .map((node) => {
        const [signature] = checker.getTypeAtLocation(node.initializer).getCallSignatures();
        const each = checker.getIndexTypeOfType(signature.getReturnType(), ts.IndexKind.Number);
        return checker.getTypeOfSymbol(each.getProperty("key"));
      });
    const types = [
      ...named,
      ...lists.map((type) => checker.getIndexTypeOfType(type, ts.IndexKind.Number)),
      ...[...this.firstArguments("guide")].map((node) => checker.getTypeAtLocation(node)),
    ];
    return types.flatMap((type) => this.words(type) ?? [`? ${checker.typeToString(type)}`]);
  }
}
