"""Public names of modules whose functions depend on their arguments alone.

What a module merely imports is not its own: `calendar.datetime` is not here. Nor is what reads
a clock, a locale, a file or a context, or takes text as code. Of Python 3.11 to 3.13.
"""

PURE_NAMES: dict[str, str] = {
    "abc":
        "ABC ABCMeta abstractclassmethod abstractmethod abstractproperty abstractstaticmethod "
        "update_abstractmethods",
    "ast":
        "AST Add And AnnAssign Assert Assign AsyncFor AsyncFunctionDef AsyncWith Attribute "
        "AugAssign Await BinOp BitAnd BitOr BitXor BoolOp Break Call ClassDef Compare Constant "
        "Continue Del Delete Dict DictComp Div Eq ExceptHandler Expr Expression FloorDiv For "
        "FormattedValue FunctionDef FunctionType GeneratorExp Global Gt GtE If IfExp Import "
        "ImportFrom In Interactive Invert Is IsNot JoinedStr LShift Lambda List ListComp Load Lt "
        "LtE MatMult Match MatchAs MatchClass MatchMapping MatchOr MatchSequence MatchSingleton "
        "MatchStar MatchValue Mod Module Mult Name NamedExpr NodeTransformer NodeVisitor Nonlocal "
        "Not NotEq NotIn Or ParamSpec Pass Pow RShift Raise Return Set SetComp Slice Starred "
        "Store Sub Subscript Try TryStar Tuple TypeAlias TypeIgnore TypeVar TypeVarTuple UAdd "
        "USub UnaryOp While With Yield YieldFrom alias arg arguments boolop cmpop comprehension "
        "copy_location dump excepthandler expr expr_context fix_missing_locations get_docstring "
        "get_source_segment increment_lineno iter_child_nodes iter_fields keyword literal_eval "
        "match_case mod operator parse pattern stmt type_ignore type_param unaryop unparse walk "
        "withitem",
    "base64":
        "a85decode a85encode b16decode b16encode b32decode b32encode b32hexdecode b32hexencode "
        "b64decode b64encode b85decode b85encode decode decodebytes encode encodebytes "
        "standard_b64decode standard_b64encode urlsafe_b64decode urlsafe_b64encode z85decode "
        "z85encode",
    "binascii":
        "Error Incomplete a2b_base64 a2b_hex a2b_qp a2b_uu b2a_base64 b2a_hex b2a_qp b2a_uu crc32 "
        "crc_hqx hexlify unhexlify",
    "bisect":
        "bisect bisect_left bisect_right insort insort_left insort_right",
    "calendar":
        "APRIL AUGUST Calendar DECEMBER Day FEBRUARY FRIDAY HTMLCalendar IllegalMonthError "
        "IllegalWeekdayError JANUARY JULY JUNE MARCH MAY MONDAY Month NOVEMBER OCTOBER SATURDAY "
        "SEPTEMBER SUNDAY THURSDAY TUESDAY TextCalendar WEDNESDAY isleap leapdays monthcalendar "
        "monthrange timegm weekday",
    "cmath":
        "acos acosh asin asinh atan atanh cos cosh e exp inf infj isclose isfinite isinf isnan "
        "log log10 nan nanj phase pi polar rect sin sinh sqrt tan tanh tau",
    "codecs":
        "BOM BOM32_BE BOM32_LE BOM64_BE BOM64_LE BOM_BE BOM_LE BOM_UTF16 BOM_UTF16_BE "
        "BOM_UTF16_LE BOM_UTF32 BOM_UTF32_BE BOM_UTF32_LE BOM_UTF8 Codec CodecInfo "
        "IncrementalDecoder IncrementalEncoder StreamReader StreamReaderWriter StreamWriter "
        "backslashreplace_errors decode encode getdecoder getencoder getincrementaldecoder "
        "getincrementalencoder getreader getwriter ignore_errors iterdecode iterencode lookup "
        "namereplace_errors replace_errors strict_errors xmlcharrefreplace_errors",
    "collections":
        "ChainMap Counter OrderedDict UserDict UserList UserString defaultdict deque namedtuple",
    "collections.abc":
        "AsyncGenerator AsyncIterable AsyncIterator Awaitable Buffer ByteString Callable "
        "Collection Container Coroutine Generator Hashable ItemsView Iterable Iterator KeysView "
        "Mapping MappingView MutableMapping MutableSequence MutableSet Reversible Sequence Set "
        "Sized ValuesView",
    "colorsys":
        "hls_to_rgb hsv_to_rgb rgb_to_hls rgb_to_hsv rgb_to_yiq yiq_to_rgb",
    "contextlib":
        "AbstractAsyncContextManager AbstractContextManager AsyncExitStack ContextDecorator "
        "ExitStack aclosing asynccontextmanager closing contextmanager nullcontext suppress",
    "copy":
        "Error copy deepcopy replace",
    "csv":
        "Dialect DictReader DictWriter Error QUOTE_ALL QUOTE_MINIMAL QUOTE_NONE QUOTE_NONNUMERIC "
        "QUOTE_NOTNULL QUOTE_STRINGS Sniffer excel excel_tab reader unix_dialect writer",
    "dataclasses":
        "Field FrozenInstanceError InitVar KW_ONLY MISSING asdict astuple dataclass field fields "
        "is_dataclass replace",
    "datetime":
        "MAXYEAR MINYEAR UTC date datetime time timedelta timezone tzinfo",
    "decimal":
        "Clamped Context ConversionSyntax Decimal DecimalException DecimalTuple DivisionByZero "
        "DivisionImpossible DivisionUndefined FloatOperation Inexact InvalidContext "
        "InvalidOperation MAX_EMAX MAX_PREC MIN_EMIN MIN_ETINY Overflow ROUND_05UP ROUND_CEILING "
        "ROUND_DOWN ROUND_FLOOR ROUND_HALF_DOWN ROUND_HALF_EVEN ROUND_HALF_UP ROUND_UP Rounded "
        "Subnormal Underflow",
    "difflib":
        "Differ HtmlDiff IS_CHARACTER_JUNK IS_LINE_JUNK SequenceMatcher context_diff diff_bytes "
        "get_close_matches ndiff restore unified_diff",
    "enum":
        "CONFORM CONTINUOUS EJECT Enum EnumCheck EnumDict EnumMeta EnumType Flag FlagBoundary "
        "IntEnum IntFlag KEEP NAMED_FLAGS ReprEnum STRICT StrEnum UNIQUE auto member nonmember "
        "property unique verify",
    "fnmatch":
        "filter fnmatch fnmatchcase translate",
    "fractions":
        "Fraction",
    "functools":
        "WRAPPER_ASSIGNMENTS WRAPPER_UPDATES cache cached_property cmp_to_key lru_cache partial "
        "partialmethod reduce singledispatch singledispatchmethod total_ordering update_wrapper "
        "wraps",
    "graphlib":
        "CycleError TopologicalSorter",
    "hashlib":
        "algorithms_guaranteed blake2b blake2s md5 new pbkdf2_hmac sha1 sha224 sha256 sha384 "
        "sha3_224 sha3_256 sha3_384 sha3_512 sha512 shake_128 shake_256",
    "heapq":
        "heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest",
    "hmac":
        "HMAC compare_digest digest new",
    "html":
        "escape unescape",
    "html.entities":
        "codepoint2name entitydefs html5 name2codepoint",
    "html.parser":
        "HTMLParser",
    "io":
        "BlockingIOError BufferedIOBase BufferedRWPair BufferedRandom BufferedReader "
        "BufferedWriter BytesIO IOBase IncrementalNewlineDecoder RawIOBase SEEK_CUR SEEK_END "
        "SEEK_SET StringIO TextIOBase TextIOWrapper UnsupportedOperation",
    "ipaddress":
        "AddressValueError IPV4LENGTH IPV6LENGTH IPv4Address IPv4Interface IPv4Network "
        "IPv6Address IPv6Interface IPv6Network NetmaskValueError collapse_addresses "
        "get_mixed_type_key ip_address ip_interface ip_network summarize_address_range "
        "v4_int_to_packed v6_int_to_packed",
    "itertools":
        "accumulate batched chain combinations combinations_with_replacement compress count cycle "
        "dropwhile filterfalse groupby islice pairwise permutations product repeat starmap "
        "takewhile tee zip_longest",
    "json":
        "JSONDecodeError JSONDecoder JSONEncoder dump dumps load loads",
    "json.decoder":
        "JSONDecodeError JSONDecoder",
    "json.encoder":
        "JSONEncoder encode_basestring encode_basestring_ascii",
    "keyword":
        "iskeyword issoftkeyword kwlist softkwlist",
    "math":
        "acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e "
        "erf erfc exp exp2 expm1 fabs factorial floor fma fmod frexp fsum gamma gcd hypot inf "
        "isclose isfinite isinf isnan isqrt lcm ldexp lgamma log log10 log1p log2 modf nan "
        "nextafter perm pi pow prod radians remainder sin sinh sqrt sumprod tan tanh tau trunc "
        "ulp",
    "numbers":
        "Complex Integral Number Rational Real",
    "operator":
        "abs add and_ attrgetter call concat contains countOf delitem eq floordiv ge getitem gt "
        "iadd iand iconcat ifloordiv ilshift imatmul imod imul index indexOf inv invert ior ipow "
        "irshift is_ is_not isub itemgetter itruediv ixor le length_hint lshift lt matmul "
        "methodcaller mod mul ne neg not_ or_ pos pow rshift setitem sub truediv truth xor",
    "pathlib":
        "PurePath PurePosixPath PureWindowsPath UnsupportedOperation",
    "posixpath":
        "altsep basename commonpath commonprefix curdir defpath devnull dirname extsep isabs join "
        "normcase normpath pardir pathsep sep split splitdrive splitext splitroot",
    "pprint":
        "isreadable isrecursive pformat saferepr",
    "re":
        "A ASCII DOTALL I IGNORECASE L LOCALE M MULTILINE Match NOFLAG Pattern PatternError "
        "RegexFlag S U UNICODE VERBOSE X compile error escape findall finditer fullmatch match "
        "search split sub subn",
    "reprlib":
        "Repr recursive_repr repr",
    "shlex":
        "join quote split",
    "statistics":
        "StatisticsError correlation covariance fmean geometric_mean harmonic_mean kde "
        "linear_regression mean median median_grouped median_high median_low mode multimode "
        "pstdev pvariance quantiles stdev variance",
    "string":
        "Template ascii_letters ascii_lowercase ascii_uppercase capwords digits hexdigits "
        "octdigits printable punctuation whitespace",
    "struct":
        "Struct calcsize error iter_unpack pack pack_into unpack unpack_from",
    "textwrap":
        "TextWrapper dedent fill indent shorten wrap",
    "token":
        "AMPER AMPEREQUAL ASYNC AT ATEQUAL AWAIT CIRCUMFLEX CIRCUMFLEXEQUAL COLON COLONEQUAL "
        "COMMA COMMENT DEDENT DOT DOUBLESLASH DOUBLESLASHEQUAL DOUBLESTAR DOUBLESTAREQUAL "
        "ELLIPSIS ENCODING ENDMARKER EQEQUAL EQUAL ERRORTOKEN EXCLAMATION FSTRING_END "
        "FSTRING_MIDDLE FSTRING_START GREATER GREATEREQUAL INDENT ISEOF ISNONTERMINAL ISTERMINAL "
        "LBRACE LEFTSHIFT LEFTSHIFTEQUAL LESS LESSEQUAL LPAR LSQB MINEQUAL MINUS NAME NEWLINE NL "
        "NOTEQUAL NT_OFFSET NUMBER N_TOKENS OP PERCENT PERCENTEQUAL PLUS PLUSEQUAL RARROW RBRACE "
        "RIGHTSHIFT RIGHTSHIFTEQUAL RPAR RSQB SEMI SLASH SLASHEQUAL SOFT_KEYWORD STAR STAREQUAL "
        "STRING TILDE TYPE_COMMENT TYPE_IGNORE VBAR VBAREQUAL tok_name",
    "tomllib":
        "TOMLDecodeError load loads",
    "types":
        "AsyncGeneratorType BuiltinFunctionType BuiltinMethodType ClassMethodDescriptorType "
        "CoroutineType DynamicClassAttribute EllipsisType FrameType FunctionType GeneratorType "
        "GenericAlias GetSetDescriptorType LambdaType MappingProxyType MemberDescriptorType "
        "MethodDescriptorType MethodType MethodWrapperType ModuleType NoneType NotImplementedType "
        "SimpleNamespace TracebackType UnionType WrapperDescriptorType coroutine new_class "
        "prepare_class resolve_bases",
    "typing":
        "AbstractSet Annotated Any AnyStr AsyncContextManager AsyncGenerator AsyncIterable "
        "AsyncIterator Awaitable BinaryIO ByteString Callable ChainMap ClassVar Collection "
        "Concatenate Container ContextManager Coroutine Counter DefaultDict Deque Dict Final "
        "FrozenSet Generator Generic Hashable IO ItemsView Iterable Iterator KeysView List "
        "Literal LiteralString Mapping MappingView Match MutableMapping MutableSequence "
        "MutableSet NamedTuple Never NewType NoDefault NoReturn NotRequired Optional OrderedDict "
        "ParamSpec ParamSpecArgs ParamSpecKwargs Pattern Protocol ReadOnly Required Reversible "
        "Self Sequence Set Sized SupportsAbs SupportsBytes SupportsComplex SupportsFloat "
        "SupportsIndex SupportsInt SupportsRound TYPE_CHECKING Text TextIO Tuple Type TypeAlias "
        "TypeAliasType TypeGuard TypeIs TypeVar TypeVarTuple TypedDict Union Unpack ValuesView "
        "assert_never assert_type cast dataclass_transform final get_args get_origin "
        "get_protocol_members is_protocol is_typeddict no_type_check no_type_check_decorator "
        "overload override runtime_checkable",
    "unicodedata":
        "bidirectional category combining decimal decomposition digit east_asian_width "
        "is_normalized lookup mirrored name normalize numeric",
    "urllib.parse":
        "DefragResult DefragResultBytes ParseResult ParseResultBytes SplitResult SplitResultBytes "
        "parse_qs parse_qsl quote quote_from_bytes quote_plus unquote unquote_plus "
        "unquote_to_bytes urldefrag urlencode urljoin urlparse urlsplit urlunparse urlunsplit",
    "uuid":
        "NAMESPACE_DNS NAMESPACE_OID NAMESPACE_URL NAMESPACE_X500 RESERVED_FUTURE "
        "RESERVED_MICROSOFT RESERVED_NCS RFC_4122 UUID uuid3 uuid5",
    "xml.sax.saxutils":
        "escape quoteattr unescape",
    "zlib":
        "DEFLATED DEF_BUF_SIZE DEF_MEM_LEVEL MAX_WBITS Z_BEST_COMPRESSION Z_BEST_SPEED Z_BLOCK "
        "Z_DEFAULT_COMPRESSION Z_DEFAULT_STRATEGY Z_FILTERED Z_FINISH Z_FIXED Z_FULL_FLUSH "
        "Z_HUFFMAN_ONLY Z_NO_COMPRESSION Z_NO_FLUSH Z_PARTIAL_FLUSH Z_RLE Z_SYNC_FLUSH Z_TREES "
        "adler32 compress compressobj crc32 decompress decompressobj error",
}  # fmt: skip
